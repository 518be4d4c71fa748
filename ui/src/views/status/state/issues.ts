/** What is the matter, in words, each with what to do about it; the worst first. */

import type { Status } from "$lib/api/client";

import { bytes, plural } from "./format-units";

export type IssueLevel = "plain" | "warn" | "danger";

export interface Issue {
  readonly id: string;
  readonly level: "info" | "warn" | "danger";
  readonly title: string;
  /** What it means and what to do. */
  readonly text: string;
  /** A command to type, shown as code. */
  readonly command?: string;
  readonly link?: { readonly to: string; readonly text: string };
}

export const LOW_DISK_BYTES = 2_000_000_000;
export const FULL_DISK_BYTES = 500_000_000;
export const LOW_RECALL = 0.95;
export const OLD_BACKUP_S = 48 * 3_600;
/** A daemon that is new has not made its first copy yet. */
const YOUNG_DAEMON_S = 3_600;
const MANY_EVENTS = 100;
const WORST = ["danger", "warn", "info"] as const;

/** How old a moment is, in seconds; endless where there is none. */
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

function ofState({ command, state, reason }: Status): Issue[] {
  if (state === "checking") {
    const text = "The last stop was not a clean one. Everything can be read; changes wait until the check is done.";
    return [{ id: "checking", level: "info", title: "The database is being checked", text }];
  }
  if (state === "ready") return [];
  const why = reason === "" ? "The database is damaged." : reason;
  return [
    {
      id: "degraded",
      level: "danger",
      title: "The database is only read",
      text: `${why} If it is damaged, this puts the newest good backup in its place:`,
      command: `${command} db restore`,
    },
  ];
}

function ofDisk({ process }: Status): Issue[] {
  const level = diskLevel(process.diskFreeBytes);
  if (level === "plain") return [];
  const text = `${bytes(process.diskFreeBytes)} are free where the memories lie. On a full disk nothing new is kept. Make room.`;
  return [{ id: "disk", level, title: "The disk is nearly full", text }];
}

function ofModel({ embedding }: Status): Issue[] {
  if (embedding === null) return [];
  const issues: Issue[] = [];
  const { available, phase, detail, indexRecall: recall } = embedding;
  if (!available || phase === "failing" || phase === "damaged") {
    const what = detail === "" ? `The model is ${phase}.` : detail;
    const former = embedding.searchedMeanwhile;
    const meanwhile = former === "" ? "Until it is mended, words answer alone." : `Meanwhile the vectors of ${former} are searched.`;
    const link = { to: "/help/settings", text: "Settings of the model" };
    issues.push({ id: "model", level: "warn", title: "The model gives no vectors", text: `${what} ${meanwhile}`, link });
  }
  if (recall !== null && recall < LOW_RECALL) {
    const text = `Of the true neighbours it found ${(100 * recall).toFixed(1)} % when last checked. Building the vectors anew mends it.`;
    issues.push({ id: "recall", level: "warn", title: "The index finds less than it should", text });
  }
  return issues;
}

function ofQueue({ queue }: Status): Issue[] {
  if (queue.dead === 0) return [];
  const title = queue.dead === 1 ? "One job was given up" : `${queue.dead.toLocaleString()} jobs were given up`;
  const text = "Their memories are found by words all the same. The queue says why, and can try them anew.";
  return [{ id: "dead", level: "warn", title, text, link: { to: "/queue", text: "Open the queue" } }];
}

function ofSpool({ command, store, state }: Status): Issue[] {
  const issues: Issue[] = [];
  if (store.spoolRejected > 0) {
    issues.push({
      id: "rejected",
      level: "warn",
      title: `${plural(store.spoolRejected, "hook event was", "hook events were")} set aside`,
      text: "What they tell of a session was not kept: each could not be done, three times over. The log says why:",
      command: `${command} daemon logs`,
    });
  }
  if (store.spool > MANY_EVENTS && state === "ready") {
    const text = "They came while the daemon was away and are read now, the oldest first. Nothing of them is lost.";
    issues.push({ id: "spool", level: "info", title: `${store.spool.toLocaleString()} hook events wait`, text });
  }
  return issues;
}

function ofBackup(status: Status, now: number): Issue[] {
  if (backupLevel(status, now) === "plain") return [];
  const text = "One is made each day. When none comes, the log says why:";
  const title = status.store.lastBackup === null ? "There is no backup yet" : "The last backup is old";
  return [{ id: "backup", level: "warn", title, text, command: `${status.command} daemon logs` }];
}

function ofRetention({ retention }: Status): Issue[] {
  const failed = Object.entries(retention?.last?.failed ?? {});
  if (failed.length === 0) return [];
  const text = `${failed.map(([kind, why]) => `${dataKindLabel(kind)}: ${why}`).join("; ")}. It is tried again at the next sweep.`;
  return [{ id: "retention", level: "warn", title: "The last sweep could not purge everything", text }];
}

function ofSettings({ settingProblems: problems }: Status): Issue[] {
  return problems.map(({ key, message }, index) => ({
    // One key may have several.
    id: `setting-${String(index)}-${key}`,
    level: "warn",
    title: `The setting ${key} ${message}`,
    text: "Until it is mended in agent.yaml, its default counts or the last value that was good.",
    link: { to: "/help/settings", text: "All settings" },
  }));
}

function ofCapture({ capture }: Status): Issue[] {
  if (capture?.paused !== true) return [];
  const text = "What is said in sessions is not remembered; recall goes on. The button in the rail resumes it.";
  return [{ id: "capture", level: "info", title: "Capture is paused", text, link: { to: "/help/pause", text: "About pausing" } }];
}

/** A kind of data as the sweep names it, in words. */
export function dataKindLabel(name: string): string {
  const words: Record<string, string> = { ledger: "ledger entries", completed_jobs: "finished jobs", dead_jobs: "given-up jobs", set_aside: "databases set aside", history: "changes in the history" };
  return words[name] ?? name.replaceAll("_", " ");
}
