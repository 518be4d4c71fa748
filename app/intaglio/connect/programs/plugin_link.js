/**
 * Sends an in-process plugin's events to the daemon, or spools them if the daemon is away.
 *
 * The plugins of harnesses contain this module's source, with the values below filled in. It runs
 * in Bun and in Node 20 and newer, imports nothing else, never throws and never prints.
 *
 * The daemon listens on a Unix socket. If there can't be one, the program at the daemon's port has
 * to prove that it is the daemon before anything is sent to it. `daemon_link.py` and
 * `hook_program.py` are the same for harnesses that run a program.
 */

import { createHmac, randomBytes } from "node:crypto";
import * as files from "node:fs";
import { connect as openConnection } from "node:net";
import { join } from "node:path";

const SOCKET = "";
const LOCK = "";
const TOKEN = "";
const INSTALL_ID = "";
const SPOOL = "";
const HARNESS = "";
const ENDPOINT = "";
const PROOF = "/api/auth/proof";

const MAX_EVENT = 1_000_000;
const MAX_REPLY = 200_000;
const MAX_SPOOLED = 10_000;
const TOTAL_MS = 1_000;
const BREAKER_MS = 60_000;
const SWITCHES = ["INTAGLIO_NO_HOOKS", "SIGNET_NO_HOOKS", "SIGNET_BYPASS"];
/** What the daemon needs of an event when it is back; it reads the rest from the transcript. */
const SPOOLED_FIELDS = ["event", "session", "cwd", "started_in", "transcript_path", "reason", "agent_id"];

/**
 * A way to the daemon.
 *
 * `send` posts an event and returns the reply's JSON, or null if there is none. An event that the
 * daemon didn't take is spooled, unless `keep` is false: then it doesn't matter without the reply.
 * After a timeout, the daemon isn't asked again for a while. `ask` posts anything else to a path.
 */
export function daemonLink() {
  let restingUntil = 0;
  let spooledAt = 0n;

  async function send(event, { keep = true, limitMs = TOTAL_MS } = {}) {
    try {
      if (SWITCHES.some((name) => process.env[name])) return null;
      const reply = await post(ENDPOINT, event, limitMs);
      if (reply !== null) return reply.length ? JSON.parse(reply.toString()) : null;
      if (keep) spool(event);
    } catch {
      // An agent's work never depends on its memory.
    }
    return null;
  }

  async function ask(path, message, { limitMs = TOTAL_MS } = {}) {
    try {
      if (SWITCHES.some((name) => process.env[name])) return null;
      return JSON.parse(String(await post(path, message, limitMs)));
    } catch {
      return null;
    }
  }

  /** Return the reply's body, or null for anything but a 2xx reply in time. */
  async function post(path, message, limitMs) {
    const body = Buffer.from(JSON.stringify(message));
    if (body.length > MAX_EVENT || performance.now() < restingUntil) return null;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    try {
      return await exchange(path, body, limit.signal);
    } catch {
      if (limit.signal.aborted) restingUntil = performance.now() + BREAKER_MS;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Write an event for the daemon, whole and at once; file names sort by time. */
  function spool(event) {
    files.mkdirSync(SPOOL, { mode: 0o700, recursive: true });
    if (files.readdirSync(SPOOL).length >= MAX_SPOOLED) return;
    const now = BigInt(Date.now()) * 1_000_000n;
    spooledAt = now > spooledAt ? now : spooledAt + 1n;
    const entry = { harness: HARNESS, time: Number(spooledAt) / 1e9 };
    for (const field of SPOOLED_FIELDS) if (typeof event[field] === "string") entry[field] = event[field];
    const name = `${String(spooledAt).padStart(20, "0")}-${process.pid}-${randomBytes(4).toString("hex")}.json`;
    const part = join(SPOOL, `${name}.part`);
    try {
      files.writeFileSync(part, JSON.stringify(entry), { mode: 0o600, flag: "wx", flush: true });
      files.renameSync(part, join(SPOOL, name));
    } catch {
      files.rmSync(part, { force: true });
    }
  }

  return { send, ask };
}

/** Send a body on a connection of its own, and return the reply's; null unless it is a 2xx. */
async function exchange(path, body, signal) {
  const local = hasSocket();
  const port = local ? 0 : portOfDaemon();
  const connection = await connected(local ? { path: SOCKET } : { host: "127.0.0.1", port }, signal);
  try {
    if (!local) await demandProof(connection, port);
    connection.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n` +
        `Authorization: Bearer ${readText(TOKEN).trim()}\r\n` +
        "Content-Type: application/json\r\nConnection: close\r\nX-Intaglio-In-Process: 1\r\n" +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    connection.write(body);
    const reply = await nextReply(connection);
    return reply.status >= 200 && reply.status < 300 ? reply.body : null;
  } finally {
    connection.destroy();
  }
}

function readText(file) {
  return files.readFileSync(file, "utf8");
}

/** Whether the daemon listens on the Unix socket, or would if it were running. */
function hasSocket() {
  if (!SOCKET) return false;
  return files.existsSync(SOCKET) || !readText(LOCK).includes('"socket":null');
}

/** Return the port of this installation's daemon; throws if it isn't running. */
function portOfDaemon() {
  const lock = JSON.parse(readText(LOCK));
  if (lock.install_id !== INSTALL_ID || !Number.isInteger(lock.port)) throw new Error("another daemon");
  if (process.platform !== "win32") process.kill(lock.pid, 0);
  return lock.port;
}

/** Return a connection that is destroyed once the signal is aborted. */
function connected(target, signal) {
  return new Promise((resolve, reject) => {
    const connection = openConnection(target);
    // Without a listener, an error would end the harness.
    connection.on("error", reject);
    connection.once("connect", () => resolve(connection));
    signal.addEventListener("abort", () => {
      connection.destroy();
      reject(new Error("no answer in time"));
    });
  });
}

/** Return the next reply on a connection; throws if it ends before. */
function nextReply(connection) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const take = (chunk) => {
      received = Buffer.concat([received, chunk]);
      const reply = wholeReply(received);
      if (reply === null && received.length <= MAX_REPLY) return;
      connection.off("data", take);
      if (reply === null) reject(new Error("the reply is too large"));
      else resolve(reply);
    };
    connection.on("data", take);
    connection.once("close", () => reject(new Error("no whole reply")));
  });
}

/** Return the status and body of a reply, or null as long as it isn't whole. */
function wholeReply(received) {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = received.subarray(0, end).toString("latin1");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
  const body = received.subarray(end + 4);
  return body.length < length ? null : { status, body: body.subarray(0, length) };
}

/**
 * Throw unless the program at the other end knows this installation's hook token.
 *
 * The proof covers the port, so that no program on another port can pass it on.
 */
async function demandProof(connection, port) {
  const nonce = randomBytes(32).toString("hex");
  connection.write(`GET ${PROOF}?nonce=${nonce} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  const { status, body } = await nextReply(connection);
  const proof = createHmac("sha256", readText(TOKEN).trim()).update(`intaglio daemon proof\0${nonce}:${port}`).digest("hex");
  if (status !== 200 || JSON.parse(body.toString()).hookToken !== proof) throw new Error("no proof");
}
