/**
 * Tells Intaglio's daemon of OpenCode's sessions, and the model what the daemon replies.
 *
 * `loader.js`, in OpenCode's own folder, imports this: version 1 of OpenCode calls `server`, version
 * 2 `setup`. What a model is told goes into the requests to it only, in every one at the same place,
 * so that providers can cache them: OpenCode stores none of it, and neither titles nor summaries are
 * made of it. It is kept until the conversation is compacted, or OpenCode ends.
 *
 * `harness.py` has the other side of what is sent. Node's modules are imported whole here, because
 * `plugin_link.js`, which becomes a part of this file, imports some names of them.
 */

import * as fs from "node:fs";
import * as os from "node:os";
import * as paths from "node:path";

import { daemonLink } from "../../connect/programs/plugin_link.js";

const SERVER = "intaglio";
const EDITS = ["edit", "multiedit", "write", "patch", "apply_patch"];
const MAX_SESSIONS = 500;
const MAX_TOLD = 200;
const MAX_PROMPT = 100_000;
/** How long what nobody waits for may take, and what a compaction waits for. */
const SLOW = { limitMs: 2_000 };
const ASKS = { keep: false };
const CLOCK_MS = 5_000;

/** Return OpenCode's hooks, for version 1. */
export async function server({ client, directory }, tools) {
  const memory = sessionsOf(directory, async (id) => {
    const { data } = await client.session.get({ path: { id } });
    return { parent: data.parentID, directory: data.directory, created: data.time.created };
  });
  const summaryOf = async (id) => {
    const { data } = await client.session.messages({ path: { id }, query: { limit: 4 } });
    return textOf(data.findLast((message) => message.info.summary === true)?.parts ?? []);
  };
  return guarded({
    config: (config) => {
      if (!fs.existsSync(tools[0])) return;
      // Someone who has configured a server of this name has decided about it.
      config.mcp = { [SERVER]: { type: "local", command: tools, enabled: true }, ...config.mcp };
    },
    "command.execute.before": (input, output) => {
      // The rest of a command's text isn't the user's; the parts are stored with this mark.
      const texts = output.parts.filter((part) => part.type === "text");
      for (const [index, part] of texts.entries()) {
        part.metadata = { ...part.metadata, intaglio: { words: index === 0 ? input.arguments : "" } };
      }
    },
    "chat.message": async (input, output) => {
      await memory.prompt(input.sessionID, output.message.id, textOf(output.parts));
    },
    "experimental.chat.messages.transform": async (_, output) => {
      const last = output.messages.findLast((message) => message.info.role === "user");
      if (last === undefined || memory.isCompacting(last.info.sessionID)) return;
      for (const told of await memory.told(last.info.sessionID)) {
        told.message ??= last.info.id;
        const message = output.messages.find((each) => each.info.id === told.message);
        message?.parts.push({
          id: `prt_intaglio_${message.parts.length}`,
          sessionID: message.info.sessionID,
          messageID: message.info.id,
          type: "text",
          text: told.text,
          synthetic: true,
        });
      }
    },
    "tool.execute.after": async (input, output) => {
      const text = await memory.edit(input.sessionID, input.tool, output.metadata?.filepath ?? editedFile(input.args));
      if (text && typeof output.output === "string") output.output += `\n\n${text}`;
    },
    "experimental.session.compacting": async (input, output) => {
      const text = await memory.compaction(input.sessionID);
      if (text) output.context.push(text);
    },
    event: async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id;
      if (event.type === "session.idle") await memory.turnEnd(id);
      else if (event.type === "session.compacted") await memory.compacted(id, () => summaryOf(id));
      else if (event.type === "session.deleted") await memory.end(id, "deleted");
    },
    dispose: () => memory.close(),
  });
}

/** Add hooks to version 2, and return what removes them. */
export async function setup(context, tools) {
  // Late versions 1 call this, too, with a context that has neither.
  if (typeof context?.session?.hook !== "function" || typeof context.event?.subscribe !== "function") return undefined;
  const memory = sessionsOf(context.location?.directory ?? process.cwd(), async (id) => {
    const found = await context.session.get({ sessionID: id });
    return { parent: found.parentID, directory: found.location?.directory, created: Number(found.time?.created) };
  });
  const hooks = guarded({
    prompt: (event) => memory.prompt(event.sessionID, event.messageID, event.prompt.text),
    context: async (event) => {
      if ((event.kind ?? "primary") !== "primary") return;
      for (const told of await memory.told(event.sessionID)) event.system.push({ type: "text", text: told.text });
    },
    compaction: async (event) => {
      const text = await memory.compaction(event.sessionID);
      if (text) (event.system ??= []).push({ type: "text", text });
    },
    edit: async (event) => {
      if (event.status !== "completed") return;
      const text = await memory.edit(event.sessionID, event.tool, editedFile(event.input));
      if (text) event.result = withText(event.result, text);
    },
    tools: (servers) => {
      // Tools that have to be searched for by code are found too late.
      if (fs.existsSync(tools[0]) && !servers.get?.(SERVER)) servers.set(SERVER, { type: "local", command: tools, codemode: false });
    },
  });
  const stopped = new AbortController();
  for (const name of ["prompt", "context", "compaction"]) await context.session.hook(name, hooks[name]);
  await context.tool?.hook?.("execute.after", hooks.edit);
  await context.mcp?.transform?.(hooks.tools);
  follow(context.event.subscribe({ signal: stopped.signal }), memory);
  return async () => {
    stopped.abort();
    await memory.close();
  };
}

/** Report the events of version 2 until it stops them. */
async function follow(events, memory) {
  try {
    for await (const { type, data } of events) {
      if (/^session\.execution\.(succeeded|failed|interrupted)$/.test(type)) await memory.turnEnd(data.sessionID);
      else if (type === "session.compaction.ended") await memory.compacted(data.sessionID, async () => data.text);
      else if (type === "session.deleted") await memory.end(data.sessionID, "deleted");
    }
  } catch {
    // They end with OpenCode, or with this plugin.
  }
}

/** Return hooks that never throw: OpenCode would end the turn. */
function guarded(hooks) {
  const quiet = (hook) => async (first, second) => {
    try {
      await hook(first, second);
    } catch {
      // An agent's work never depends on its memory.
    }
  };
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, quiet(hook)]));
}

/** Return what the user wrote in a message's parts. */
function textOf(parts) {
  const texts = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored);
  const words = texts.map((part) => part.metadata?.intaglio?.words ?? part.text);
  return words.filter(Boolean).join("\n\n");
}

/** Return the file that a tool's arguments name, empty if none. */
function editedFile(given) {
  const patch = given?.patchText ?? given?.patch;
  if (typeof patch === "string") return /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch)?.[1] ?? "";
  return given?.filePath ?? given?.path ?? "";
}

/** Return version 2's result of a tool with a text for the model. */
function withText(result, text) {
  if (Array.isArray(result?.content)) return { ...result, content: [...result.content, { type: "text", text }] };
  if (typeof result?.content === "string") return { ...result, content: `${result.content}\n\n${text}` };
  return typeof result?.output === "string" ? { ...result, output: `${result.output}\n\n${text}` } : result;
}

/** Return where OpenCode keeps its sessions. */
function database() {
  const folder = paths.join(process.env.XDG_DATA_HOME || paths.join(os.homedir(), ".local", "share"), "opencode");
  if (process.env.OPENCODE_DB) return paths.resolve(folder, process.env.OPENCODE_DB);
  // Other channels of OpenCode have other names for it; the one in use was written last.
  const names = (fs.existsSync(folder) ? fs.readdirSync(folder) : []).filter((name) => /^opencode.*\.db$/.test(name));
  const writtenAt = (name) => Math.max(...[name, `${name}-wal`].map((each) => modified(paths.join(folder, each))));
  return paths.join(folder, names.sort((a, b) => writtenAt(b) - writtenAt(a))[0] ?? "opencode.db");
}

function modified(file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * The sessions of a folder, as far as there was anything to tell of them. Subagents' are left out:
 * they get no memory, and what they are told isn't the user's.
 *
 * `look` returns what OpenCode knows of a session: its parent, its directory, and when it was made.
 */
function sessionsOf(folder, look) {
  const link = daemonLink();
  const loadedAt = Date.now();
  const known = new Map();
  const compacting = new Set();
  const unfinished = new Set();

  /** Send an event of a session; returns the text for the model, empty if there is none. */
  function send(session, event, more = {}, options = {}) {
    const origin = { event, session: session.id, cwd: session.directory, transcript_path: session.database };
    const sent = link.send({ ...origin, ...more }, options).then((reply) => reply?.text ?? "");
    unfinished.add(sent);
    sent.finally(() => unfinished.delete(sent));
    return sent;
  }

  /** Return a session, which starts if it isn't known yet; null for a subagent's. */
  function find(id) {
    if (!known.has(id)) {
      known.set(id, start(id));
      if (known.size > MAX_SESSIONS) known.delete(known.keys().next().value);
    }
    return known.get(id);
  }

  async function start(id) {
    const found = await look(id).catch(() => ({}));
    if (found.parent) return null;
    const session = { id, directory: found.directory ?? folder, database: database(), told: [] };
    const source = found.created > loadedAt - CLOCK_MS ? "startup" : "resume";
    tell(session, null, send(session, "session_start", { source }));
    return session;
  }

  /** Keep a text for the model, which is to stand behind a message; null: behind the next. */
  function tell(session, message, text) {
    session.told.push({ message, text });
    session.told.splice(0, session.told.length - MAX_TOLD);
  }

  return {
    async prompt(id, message, text) {
      const session = await find(id);
      if (session === null || !text.trim() || session.told.some((each) => each.prompt === message)) return;
      compacting.delete(id);
      const before = session.told.at(-1)?.text;
      const asked = { prompt: text.slice(0, MAX_PROMPT), prompt_id: message };
      // The daemon tells with the first prompt what it didn't tell at the start.
      tell(
        session,
        message,
        Promise.resolve(before).then(() => send(session, "prompt", asked)),
      );
      session.told.at(-1).prompt = message;
    },

    /** Return what a session's model is told, in order. */
    async told(id) {
      const session = await known.get(id);
      for (const each of session?.told ?? []) each.text = await each.text;
      return (session?.told ?? []).filter((each) => each.text);
    },

    /** Return whether the next request is for a summary. */
    isCompacting(id) {
      return compacting.delete(id);
    },

    async edit(id, tool, file) {
      const session = EDITS.includes(tool) && file ? await known.get(id) : null;
      if (!session) return "";
      const used = { tool_name: tool, tool_input: { file_path: paths.resolve(session.directory, file) } };
      return send(session, "tool_use", used, ASKS);
    },

    async compaction(id) {
      const session = await find(id);
      if (session === null) return "";
      compacting.add(id);
      return send(session, "compaction", {}, SLOW);
    },

    async compacted(id, summaryOf) {
      const session = await find(id);
      if (session === null) return;
      compacting.delete(id);
      session.told = [];
      const ended = summaryOf()
        .catch(() => "")
        .then((summary) => send(session, "compaction_end", { summary: summary.slice(0, MAX_PROMPT) }, SLOW));
      tell(
        session,
        null,
        ended.then(() => send(session, "session_start", { source: "compact" })),
      );
    },

    async turnEnd(id) {
      const session = await known.get(id);
      if (session) await send(session, "turn_end", {}, SLOW);
    },

    async end(id, reason) {
      const session = await known.get(id);
      known.delete(id);
      if (session) await send(session, "session_end", { reason }, SLOW);
    },

    /** End all sessions, once what was told of them has arrived. */
    async close() {
      while (unfinished.size) await Promise.allSettled(unfinished);
      await Promise.all([...known.keys()].map((id) => this.end(id, "exit")));
    },
  };
}
