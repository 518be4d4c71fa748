/**
 * Loads a plugin as OpenClaw's documentation says, and calls its hooks and tools.
 *
 * Standard input has the calls, `[hook, event, context]` or `["tool", name, arguments, context]`;
 * the result of each is printed.
 */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const hooks = new Map();
const factories = [];
const { default: plugin } = await import(pathToFileURL(process.argv[2]).href);
plugin.register({
  runtime: { state: { resolveStateDir: () => "/state" } },
  on: (name, run) => hooks.set(name, run),
  registerTool: (make, options) => factories.push([make, options]),
  registerMemoryCapability: (capability) => hooks.set("memory", () => capability.promptBuilder({})),
});

/** Tools are made for each run; the daemon's list arrives some time after the plugin was loaded. */
async function toolsOf(context) {
  for (let tries = 0; tries < 100; tries += 1) {
    const made = factories.flatMap(([make]) => make(context) ?? []);
    if (made.length || tries === 99) return made;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [];
}

async function result([hook, ...given]) {
  if (hook === "hooks") return [...hooks.keys()];
  if (hook === "tools") return factories.flatMap(([make]) => make(given[0]) ?? []).map((tool) => tool.name);
  if (hook !== "tool") return hooks.get(hook)?.(...given);
  const [name, parameters, context] = given;
  const tool = (await toolsOf(context)).find((one) => one.name === name);
  return tool?.execute("call-1", parameters).catch((error) => ({ error: error.message }));
}

for (const call of JSON.parse(readFileSync(0, "utf8"))) {
  console.log(JSON.stringify((await result(call)) ?? null));
}
