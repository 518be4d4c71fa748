/** The state of sync targets as text. */

import type { SyncTarget, WorkspaceState } from "$lib/api/workspace";
import { plural } from "$lib/plural";

export interface TargetText {
  readonly tone: "ok" | "plain" | "warn";
  readonly status: string;
}

const TEXTS: Readonly<Record<SyncTarget["state"], TargetText>> = {
  synced: { tone: "ok", status: "Up to date" },
  waiting: { tone: "plain", status: "Waiting to be written" },
  conflict: { tone: "warn", status: "Its block was edited" },
  refused: { tone: "warn", status: "Can't be written" },
  off: { tone: "plain", status: "Off" },
  disconnected: { tone: "plain", status: "Not connected" },
};

export function targetText({ state }: Pick<SyncTarget, "state">): TargetText {
  return TEXTS[state];
}

/** Whether sync keeps its block in the target's file. */
export function isWritten({ state }: Pick<SyncTarget, "state">): boolean {
  return state !== "off" && state !== "disconnected";
}

/** The workspace in a sentence: how many files are up to date, and what needs the user. */
export function summaryText({ enabled, targets }: Pick<WorkspaceState, "enabled" | "targets">): string {
  if (!enabled) return "Sync is off.";
  const written = targets.filter(isWritten);
  if (written.length === 0) return "Nothing is written to your agents' files yet.";
  const count = (state: SyncTarget["state"]): number => written.filter((target) => target.state === state).length;
  const synced = count("synced");
  const parts = [
    synced === written.length
      ? `${plural(synced, "file is", "files are")} up to date`
      : `${String(synced)} of ${plural(written.length, "file is", "files are")} up to date`,
    ...(count("conflict") > 0 ? [`${plural(count("conflict"), "needs", "need")} your decision`] : []),
    ...(count("refused") > 0 ? [`${String(count("refused"))} can't be written`] : []),
  ];
  return `${parts.join(", ")}.`;
}
