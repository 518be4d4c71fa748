/** Issues of the daemon with what to do about each, worst first. */

import type { Status } from "$lib/api/client";
import { plural } from "$lib/plural";

import { bytes } from "./format-units";

export type IssueLevel = "plain" | "warn" | "danger";

export interface Issue {
  readonly id: string;
  readonly level: "info" | "warn" | "danger";
  readonly title: string;
  /** What it means and what to do. */
  readonly text: string;
  /** A shell command, shown as code. */
  readonly command?: string;
  readonly link?: { readonly to: string; readonly text: string };
  /** What a button does about it. */
  readonly action?: { readonly does: "confirm-clock" | "restore"; readonly text: string };
}

export const LOW_DISK_BYTES = 2_000_000_000;
export const FULL_DISK_BYTES = 500_000_000;
export const LOW_RECALL = 0.95;
export const OLD_BACKUP_S = 48 * 3_600;
/** A daemon that just started may not have made its first backup yet. */
const YOUNG_DAEMON_S = 3_600;
const MANY_EVENTS = 100;
const DAY_S = 86_400;
const WORST = ["danger", "warn", "info"] as const;

/** The seconds since a timestamp; Infinity without one. */
export function secondsSince(iso: string | null | undefined, now: number): number {
  const at = iso === null || iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? Infinity : (now - at) / 1_000;
}

export function backupLevel(status: Status, now: number): IssueLevel {
  const isOld = secondsSince(status.store.lastBackup, now) > OLD_BACKUP_S;
  return isOld && status.uptime > YOUNG_DAEMON_S && status.state === "ready" ? "warn" : "plain";
}

export function diskLevel(free: number): IssueLevel {
  return free < FULL_DISK_BYTES ? "danger" : free < LOW_DISK_BYTES ? "warn" : "plain";
}

export function findIssues(status: Status, now: number): readonly Issue[] {
  const issues = [
    ...ofState(status),
    ...ofDisk(status),
    ...ofClock(status),
    ...ofModel(status),
    ...ofQueue(status),
    ...ofSpool(status),
    ...ofBackup(status, now),
    ...ofRetention(status),
    ...ofSettings(status),
    ...ofCapture(status),
  ];
  return issues.toSorted((one, other) => WORST.indexOf(one.level) - WORST.indexOf(other.level));
}

function ofState({ state, reason, cause, hint }: Status): Issue[] {
  if (state === "checking") {
    const text = "Intaglio didn't shut down cleanly. You can browse; changes are saved once the check is done.";
    return [{ id: "checking", level: "info", title: "Checking the database", text }];
  }
  if (state === "ready") return [];
  if (cause === "read_only") {
    return [{ id: "degraded", level: "danger", title: "The database is read-only", text: `${reason} ${hint ?? ""}` }];
  }
  const why = reason === "" ? "The database is damaged." : reason;
  // A button restores; the hint's commands are for those without one.
  const meanwhile = cause === "replaced" ? "To use the new file instead, restart the daemon." : "";
  const advice = hint?.includes("`") === false ? hint : meanwhile;
  return [
    {
      id: "degraded",
      level: "danger",
      title: "The database is read-only",
      text: `${why} ${advice}`.trim(),
      action: { does: "restore", text: "Restore…" },
    },
  ];
}

function ofDisk({ process }: Status): Issue[] {
  const level = diskLevel(process.diskFreeBytes);
  if (level === "plain") return [];
  const text = `${bytes(process.diskFreeBytes)} left. Free up space, or new memories can't be saved.`;
  return [{ id: "disk", level, title: "Disk almost full", text }];
}

function ofClock({ clock }: Status): Issue[] {
  if (clock === null || clock === undefined) return [];
  const days = plural(Math.round(Math.abs(clock.aheadS) / DAY_S), "day", "days");
  const offset = `It's ${days} ${clock.aheadS > 0 ? "ahead of" : "behind"} the expected time.`;
  const hours = Math.max(1, Math.ceil(clock.resumesInS / 3_600));
  const wait = plural(hours, "hour passes", "hours pass");
  const text = `${offset} Nothing will be deleted by age until you confirm the clock or ${wait}. If it's wrong, correct it in your system settings.`;
  const action = { does: "confirm-clock", text: "The clock is right" } as const;
  return [{ id: "clock", level: "warn", title: "The computer's clock jumped", text, action }];
}

function ofModel({ embedding }: Status): Issue[] {
  if (embedding === null) return [];
  const issues: Issue[] = [];
  const { available, phase, detail, indexRecall: recall } = embedding;
  if (!available || phase === "failing" || phase === "damaged") {
    const what = detail === "" ? `The embedding model is ${phase}.` : detail;
    const former = embedding.searchedMeanwhile;
    const meanwhile = former === "" ? "Only keyword search works until then." : `Until then, search uses ${former}.`;
    const link = { to: "/help/settings", text: "Model settings" };
    issues.push({ id: "model", level: "warn", title: "Embedding model unavailable", text: `${what} ${meanwhile}`, link });
  }
  if (recall !== null && recall < LOW_RECALL) {
    const text = `It found ${(100 * recall).toFixed(1)} % of the true matches at the last check. If this stays, restart the daemon.`;
    issues.push({ id: "recall", level: "warn", title: "The search index misses results", text });
  }
  return issues;
}

function ofQueue({ queue }: Status): Issue[] {
  if (queue.dead === 0) return [];
  const title = queue.dead === 1 ? "1 job failed" : `${queue.dead.toLocaleString()} jobs failed`;
  const text = "See the errors and retry in the queue.";
  return [{ id: "dead", level: "warn", title, text, link: { to: "/status#queue", text: "Go to the queue" } }];
}

function ofSpool({ command, store, state }: Status): Issue[] {
  const issues: Issue[] = [];
  if (store.spoolRejected > 0) {
    issues.push({
      id: "rejected",
      level: "warn",
      title: `${plural(store.spoolRejected, "hook event", "hook events")} rejected`,
      text: "They failed three times and weren't captured. For the reason, run",
      command: `${command} daemon logs`,
    });
  }
  if (store.spool > MANY_EVENTS && state === "ready") {
    const text = "They arrived while the daemon was stopped and are being processed. Nothing is lost.";
    issues.push({ id: "spool", level: "info", title: `Catching up on ${store.spool.toLocaleString()} hook events`, text });
  }
  return issues;
}

function ofBackup(status: Status, now: number): Issue[] {
  if (backupLevel(status, now) === "plain") return [];
  const text = "Backups are made daily. To see why one is missing, run";
  const title = status.store.lastBackup === null ? "No backup yet" : "Backup is overdue";
  return [{ id: "backup", level: "warn", title, text, command: `${status.command} daemon logs` }];
}

function ofRetention({ retention }: Status): Issue[] {
  const failed = Object.entries(retention?.last?.failed ?? {});
  if (failed.length === 0) return [];
  const text = `${failed.map(([kind, why]) => `${dataKindLabel(kind)}: ${why}`).join("; ")}. The next cleanup tries again.`;
  return [{ id: "retention", level: "warn", title: "The last cleanup was incomplete", text }];
}

function ofSettings({ settingProblems: problems }: Status): Issue[] {
  return problems.map(({ key, message }, index) => ({
    // A key may have several problems.
    id: `setting-${String(index)}-${key}`,
    level: "warn",
    title: `Setting ${key} ${message}`,
    text: "Fix it in agent.yaml. Until then, the default or the last valid value applies.",
    link: { to: "/help/settings", text: "All settings" },
  }));
}

function ofCapture({ capture }: Status): Issue[] {
  if (capture?.paused !== true) return [];
  const text = "Nothing from your sessions is saved. Recall still works.";
  return [{ id: "capture", level: "info", title: "Capture paused", text, link: { to: "/help/pause", text: "About pausing" } }];
}

/** A readable name for a kind of data in the retention report. */
export function dataKindLabel(name: string): string {
  const words: Record<string, string> = { ledger: "ledger entries", completed_jobs: "finished jobs", dead_jobs: "failed jobs", set_aside: "damaged databases", history: "history entries" };
  return words[name] ?? name.replaceAll("_", " ");
}
