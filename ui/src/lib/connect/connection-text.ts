/** The status of an agent's connection as text, and what to do next. */

import type { HarnessRow } from "$lib/api/client";

export interface ConnectionText {
  readonly tone: "ok" | "plain" | "warn";
  readonly status: string;
  /** What to do; "" if nothing. */
  readonly next: string;
  readonly showsCommand: boolean;
}

export function connectionText(row: HarnessRow): ConnectionText {
  switch (row.connection) {
    case "connected":
      return row.lastSeen === null
        ? { tone: "plain", status: "Connected, waiting for its first hook", next: `Start a new session in ${row.name}.`, showsCommand: false }
        : { tone: "ok", status: "Connected", next: "", showsCommand: false };
    case "partly":
      return { tone: "warn", status: "Partly connected", next: "To repair the connection, run this in a terminal:", showsCommand: true };
    case "refused":
      return { tone: "warn", status: "Can't be connected", next: `${row.reason} ${row.hint} Then run this in a terminal:`, showsCommand: true };
    case "not":
      return row.exists
        ? { tone: "plain", status: "Not connected", next: "Run this in a terminal. It shows what it changes and asks first:", showsCommand: true }
        : { tone: "plain", status: "Not found on this computer", next: `Install ${row.name}, then run this in a terminal:`, showsCommand: true };
  }
}

/** One line for a bug report. */
export function connectionLine(row: HarnessRow): string {
  const last = row.lastSeen === null ? "no hook yet" : `last hook ${row.lastSeen}`;
  return `${row.name}: ${connectionText(row).status.toLowerCase()} (${last})`;
}
