/**
 * Loads OpenCode's plugin as version 1 does, and calls its hooks as lines on the standard input say:
 * `{"do": "prompt", "session": …, "message": …, "text": …}`, `idle` or `deleted`. Each is answered by
 * an empty line once its hooks have ended.
 */

import { createInterface } from "node:readline";

const [file, directory] = process.argv.slice(2);
const get = async ({ path }) => ({
    data: { id: path.id, directory, time: { created: Date.now() } },
});
const { default: plugin } = await import(file);
const hooks = await plugin.server({ client: { session: { get } }, directory });

async function prompt(session, message, text) {
    const info = { id: message, role: "user", sessionID: session };
    const parts = [{ type: "text", text }];
    await hooks["chat.message"]({ sessionID: session }, { message: info, parts });
    await hooks["experimental.chat.messages.transform"]({}, { messages: [{ info, parts: [] }] });
}

for await (const line of createInterface({ input: process.stdin })) {
    const told = JSON.parse(line);
    if (told.do === "prompt") await prompt(told.session, told.message, told.text);
    else
        await hooks.event({
            event: {
                type: `session.${told.do}`,
                properties: { sessionID: told.session },
            },
        });
    process.stdout.write("\n");
}
await hooks.dispose();
