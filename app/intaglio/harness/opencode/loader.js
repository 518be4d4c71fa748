// Connects OpenCode 1 and 2 to Intaglio, which wrote this file: `intaglio disconnect opencode` removes it.
// Its program is in Intaglio's own folder. Without it, this plugin does nothing.
const PROGRAM = "";
const PYTHON = "";
const MCP = "";

const tools = [PYTHON, "-I", "-S", MCP, "--harness", "opencode"];

const load = (name) => async (given) => {
  try {
    const program = await import(PROGRAM);
    return await program[name](given, tools);
  } catch {
    return name === "server" ? {} : undefined;
  }
};

export default { id: "intaglio", server: load("server"), setup: load("setup") };
