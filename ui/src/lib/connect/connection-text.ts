/** The status of an agent's connection as text, and what to do next. */

import type { ConnectionChange, HarnessRow, HookTestReply } from "$lib/api/client";

export interface ConnectionText {
  readonly tone: "ok" | "plain" | "warn";
  readonly status: string;
  /** What to do; "" if nothing. */
  readonly next: string;
  /** The button that connects it; "" if it is connected. */
  readonly act: string;
}

export const isOnThisComputer = (row: HarnessRow): boolean => row.exists || row.connection !== "not" || row.leftOver;

/** Whether there is anything of Intaglio's in its settings that disconnecting removes. */
export const isRemovable = (row: HarnessRow): boolean => row.connection === "connected" || row.connection === "partly" || row.leftOver;

export function connectionText(row: HarnessRow): ConnectionText {
  if (row.leftOver) {
    return {
      tone: "warn",
      status: "Left over from an earlier installation",
      next: "Connect it to replace what is in its settings, or disconnect it to remove that.",
      act: "Connect",
    };
  }
  switch (row.connection) {
    case "connected":
      if (row.concerns.length > 0) {
        const next = row.concerns.map(({ text, hint }) => `${text} ${hint}`).join(" ");
        return { tone: "warn", status: "Connected, but its hooks don’t run", next, act: "" };
      }
      return row.lastSeen === null
        ? { tone: "plain", status: "Connected, waiting for its first event", next: `Start a new session in ${row.name}.`, act: "" }
        : { tone: "ok", status: "Connected", next: "", act: "" };
    case "partly":
      return { tone: "warn", status: "Partly connected", next: "Some of its hooks are missing or out of date.", act: "Repair" };
    case "refused":
      return { tone: "warn", status: "Can't be connected", next: `${row.reason} ${row.hint}`, act: "Connect" };
    case "not":
      return row.exists
        ? {
            tone: "plain",
            status: "Not connected",
            next: "You see what changes in its settings before anything is written.",
            act: "Connect",
          }
        : {
            tone: "plain",
            status: "Not found on this computer",
            next: `Install ${row.name} first, or connect it now and install it later.`,
            act: "Connect",
          };
  }
}

export interface ToolsText {
  readonly status: string;
  /** The button that changes it; "" if there is none. */
  readonly act: string;
  /** What the button asks for: tools or none. */
  readonly wanted: boolean;
}

/** Whether the agent can search and save memories by itself; undefined if it never can. */
export function toolsText(row: HarnessRow): ToolsText | undefined {
  switch (row.tools) {
    case "registered":
      return { status: "Registered", act: "Remove", wanted: false };
    case "included":
      return { status: "Included in the plugin", act: "", wanted: true };
    case "outdated":
      return { status: "Registered for an older version", act: "Repair", wanted: true };
    case "missing":
      return { status: "Not registered", act: "Register", wanted: true };
    case "declined":
      return { status: "Turned off", act: "Register", wanted: true };
    case "foreign":
      return { status: "Not registered: the agent has another MCP server named intaglio", act: "", wanted: true };
    case "refused":
      return { status: `Can't be registered: ${row.toolsReason}`, act: "", wanted: true };
    case "unsupported":
      return undefined;
  }
}

/** The toast after a change; `notes` say what couldn't be done. */
export function resultText(
  { name, connection }: HarnessRow,
  change: ConnectionChange,
  notes: readonly string[] = [],
): { readonly text: string; readonly hint: string } {
  const { text, hint } =
    change === "connect"
      ? { text: connection === "connected" ? "Connection updated." : "Connected.", hint: `Start a new session in ${name}.` }
      : { text: "Disconnected.", hint: `Sessions of ${name} that are running stay connected until they end.` };
  return { text, hint: [hint, ...notes].join(" ") };
}

/** One line for a bug report. */
export function connectionLine(row: HarnessRow): string {
  const last = row.lastSeen === null ? "no event yet" : `last event ${row.lastSeen}`;
  const tools = row.connection === "connected" ? `, tools ${row.tools}` : "";
  return `${row.name}: ${connectionText(row).status.toLowerCase()} (${last}${tools})`;
}

const EVENTS: Readonly<Record<NonNullable<HarnessRow["lastEvent"]>, string>> = {
  "session-start": "Session started",
  prompt: "Prompt",
  "tool-use": "File edited",
  "turn-end": "Turn ended",
  compaction: "Conversation compacted",
  subagent: "Subagent",
  "session-end": "Session ended",
  other: "Other",
};

/** What kind of event it was; "" if that isn't known, as of one that arrived before the daemon started. */
export function eventName(kind: string | null): string {
  return (EVENTS as Readonly<Record<string, string>>)[kind ?? ""] ?? "";
}

export function testTone({ outcome }: HookTestReply): ConnectionText["tone"] {
  return outcome === "works" ? "ok" : outcome === "untestable" ? "plain" : "warn";
}
