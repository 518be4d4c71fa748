/** The daemon's issues, and when a figure deserves a look. What is wrong is found by the daemon. */

import type { Status } from "$lib/api/client";

export type Issue = NonNullable<Status["issues"]>[number];
export type IssueLevel = "plain" | "warn" | "danger";

const LOW_DISK_BYTES = 2_000_000_000;
const FULL_DISK_BYTES = 500_000_000;
export const LOW_RECALL = 0.95;

/** The text of the link to an issue's page. */
const PAGES: Readonly<Record<string, string>> = {
  "/connections": "Connections",
  "/connections/workspace": "Open the workspace",
  "/help/pause": "About pausing",
  "/status#queue": "Go to the queue",
};
/** The text of the button that does something about an issue. */
export const ACTIONS = { "confirm-clock": "The clock is right", restore: "Restore…" } as const;

export function pageName(page: string): string {
  return PAGES[page] ?? (page.startsWith("/settings/") ? "Change in Settings" : "Details");
}

/** Whether an issue is more than information. */
export function isUrgent({ level }: Issue): boolean {
  return level !== "info";
}

/** The seconds since a timestamp; Infinity without one. */
export function secondsSince(iso: string | null | undefined, now: number): number {
  const at = iso === null || iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? Infinity : (now - at) / 1_000;
}

export function issuesOf({ issues }: Status): readonly Issue[] {
  return issues ?? [];
}

export function backupLevel(status: Status): IssueLevel {
  return issuesOf(status).some(({ id }) => id === "backup") ? "warn" : "plain";
}

export function diskLevel(free: number): IssueLevel {
  return free < FULL_DISK_BYTES ? "danger" : free < LOW_DISK_BYTES ? "warn" : "plain";
}

/** A readable name for a kind of data in the retention report. */
export function dataKindLabel(name: string): string {
  const words: Record<string, string> = {
    ledger: "ledger entries",
    completed_jobs: "finished jobs",
    dead_jobs: "failed jobs",
    set_aside: "damaged databases",
    history: "history entries",
  };
  return words[name] ?? name.replaceAll("_", " ");
}
