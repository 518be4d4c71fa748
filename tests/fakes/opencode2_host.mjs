/**
 * A stand-in for OpenCode 2: loads a plugin's file, gives it a context as version 2 does, takes the
 * steps on standard input, and prints what each did.
 */

import { readFileSync } from "node:fs";
import { argv, cwd } from "node:process";

const hooks = {};
const servers = {};
const queue = [];
let isReady = () => {};

/** Yield what is emitted until the signal stops it; `isReady` is called when all is handled. */
async function* subscribe({ signal }) {
    while (!signal.aborted) {
        if (queue.length) yield queue.shift();
        else {
            isReady();
            await new Promise((resolve) => setTimeout(resolve, 1));
        }
    }
}

const { default: plugin } = await import(argv[2]);
const steps = JSON.parse(readFileSync(0, "utf8"));
const sessions = Object.fromEntries(steps.filter((step) => step.session).map((step) => [step.session.id, step.session]));
const register = async (name, hook) => {
    hooks[name] = hook;
};
const cleanUp = await plugin.setup({
    options: {},
    location: { directory: cwd() },
    session: { hook: register, get: async ({ sessionID }) => sessions[sessionID] },
    tool: { hook: register },
    event: { subscribe },
    mcp: { transform: async (edit) => edit({ get: (name) => servers[name], set: (name, server) => (servers[name] = server) }) },
});
for (const { hook, event, emit } of steps) {
    if (hook) await hooks[hook](event);
    if (emit) {
        queue.push(emit);
        await new Promise((resolve) => (isReady = resolve));
    }
    if (hook || emit) console.log(JSON.stringify(event ?? null));
}
await cleanUp();
console.log(JSON.stringify({ servers, hooks: Object.keys(hooks) }));
