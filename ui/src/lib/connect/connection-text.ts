/** The status of an agent's connection as text, and what to do next. */

import type { ConnectionChange, HarnessRow } from "$lib/api/client";

export interface ConnectionText {
  readonly tone: "ok" | "plain" | "warn";
  readonly status: string;
  /** What to do; "" if nothing. */
  readonly next: string;
  /** The button that connects it; "" if it is connected. */
  readonly act: string;
}

export function connectionText(row: HarnessRow): ConnectionText {
  switch (row.connection) {
    case "connected":
      return row.lastSeen === null
        ? { tone: "plain", status: "Connected, waiting for its first event", next: `Start a new session in ${row.name}.`, act: "" }
        : { tone: "ok", status: "Connected", next: "", act: "" };
    case "partly":
      return { tone: "warn", status: "Partly connected", next: "Some of its hooks are missing or out of date.", act: "Repair" };
    case "refused":
      return { tone: "warn", status: "Can't be connected", next: `${row.reason} ${row.hint}`, act: "Connect" };
    case "not":
      return row.exists
        ? { tone: "plain", status: "Not connected", next: "You see what changes in its settings before anything is written.", act: "Connect" }
        : { tone: "plain", status: "Not found on this computer", next: `Install ${row.name} first, or connect it now and install it later.`, act: "Connect" };
  }
}

/** The toast after a change. */
export function resultText(name: string, change: ConnectionChange): { readonly text: string; readonly hint: string } {
  return change === "connect"
    ? { text: "Connected.", hint: `Start a new session in ${name}.` }
    : { text: "Disconnected.", hint: `Sessions of ${name} that are running stay connected until they end.` };
}

/** One line for a bug report. */
export function connectionLine(row: HarnessRow): string {
  const last = row.lastSeen === null ? "no event yet" : `last event ${row.lastSeen}`;
  return `${row.name}: ${connectionText(row).status.toLowerCase()} (${last})`;
}
