/** Loads the plugin as OpenCode 1 does, starts a session in it, and prints what its model is told. */

import { argv, cwd, stdout } from "node:process";

const [file, session] = argv.slice(2);
const info = { id: session, directory: cwd(), time: { created: Date.now() } };
const client = { session: { get: async () => ({ data: info }) } };

const { default: plugin } = await import(file);
const hooks = await plugin.server({ client, directory: info.directory });
const message = { info: { id: "msg_test", role: "user", sessionID: session }, parts: [] };
await hooks["chat.message"]?.({ sessionID: session }, { message: message.info, parts: message.parts });
await hooks["experimental.chat.messages.transform"]?.({}, { messages: [message] });
stdout.write(message.parts.map((part) => part.text).join("\n"));
