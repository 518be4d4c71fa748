/** The panels of the Status view: labelled values. */

import type { BackupRow, JobList, Status } from "$lib/api/client";
import { clock, inWords } from "$lib/components/time/format";
import { bytes, duration, percent } from "$lib/format-units";
import { plural } from "$lib/plural";
import { settingPath } from "$lib/settings/setting-path";

import { secondsSince, backupLevel, diskLevel, dataKindLabel, LOW_RECALL, type IssueLevel } from "./issues";

export interface StatusLine {
  readonly label: string;
  readonly value: string;
  /** An explanation of the value. */
  readonly note?: string;
  readonly level?: IssueLevel;
  /** The exact timestamp of a relative time such as "3 hours ago". */
  readonly moment?: string;
  readonly link?: { readonly to: string; readonly text: string };
  /** A fraction of 1, shown as a bar. */
  readonly share?: number;
}

export interface StatusPanelData {
  readonly name: string;
  readonly lines: readonly StatusLine[];
}

export interface StatusSnapshot {
  readonly status: Status;
  readonly jobs: JobList | undefined;
  readonly backups: readonly BackupRow[] | undefined;
  /** Percent of one core; null until there are two samples. */
  readonly cpu: number | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const PHASES: Readonly<Record<string, string>> = {
  idle: "Idle (loads on demand)",
  ready: "Ready",
  failing: "Failing",
  damaged: "Damaged",
  closed: "Stopped",
};
const METHODS: Readonly<Record<string, string>> = {
  mirror: "Binary index with exact rescoring",
  exact: "Exact",
  none: "None yet",
};
const STATES = { ready: "Ready", checking: "Checking", degraded: "Read-only" };

const number = (value: number): string => value.toLocaleString();

/** The lines, without those that don't apply. */
function lines(...all: readonly (StatusLine | false)[]): readonly StatusLine[] {
  return all.filter((line) => line !== false);
}

function warnIf(is: boolean): IssueLevel {
  return is ? "warn" : "plain";
}

function at(iso: string, now: number): { value: string; moment: string } {
  return { value: inWords(iso, now), moment: iso };
}

export function statusPanels(snapshot: StatusSnapshot): readonly StatusPanelData[] {
  return [
    queue(snapshot),
    model(snapshot),
    database(snapshot),
    retention(snapshot),
    process(snapshot),
    sessions(snapshot),
    settings(snapshot),
  ];
}

function queue({ status, jobs }: StatusSnapshot): StatusPanelData {
  const { pending, leased, dead } = status.queue;
  const oldest = jobs?.oldest_age_s;
  return {
    name: "Jobs",
    lines: lines(
      { label: "Queued", value: number(pending) },
      { label: "Running", value: number(leased) },
      { label: "Failed", value: number(dead), level: warnIf(dead > 0), link: { to: "/status#queue", text: "Queue" } },
      jobs !== undefined && { label: "Done in the last minute", value: number(jobs.done_last_minute) },
      typeof oldest === "number" && { label: "Oldest queued", value: duration(oldest) },
    ),
  };
}

/** How search ranks; `isFormer`: with the previous model, until all memories are embedded. */
export function rankingOf(lateInteraction: boolean, isFormer: boolean): { value: string; note?: string } {
  if (lateInteraction) return { value: "Late interaction" };
  return { value: "Keywords and vectors", note: isFormer ? "until all memories are embedded" : "this provider has no token states" };
}

function model({ status }: StatusSnapshot): StatusPanelData {
  const model = status.embedding;
  if (model === null) {
    const value = status.state === "ready" ? "None" : "Unknown";
    return {
      name: "Model",
      lines: [
        {
          label: "Model",
          value,
          note: "Keyword search only.",
          link: { to: settingPath("embedding.provider"), text: "Change in Settings" },
        },
      ],
    };
  }
  const recall = model.indexRecall;
  return {
    name: "Model",
    lines: lines(
      {
        label: "Model",
        value: model.model === "" ? model.provider : model.model,
        note: `${model.provider}, ${number(model.dimensions)} dimensions`,
        link: { to: settingPath("embedding.provider"), text: "Change in Settings" },
      },
      {
        label: "State",
        value: PHASES[model.phase] ?? model.phase,
        level: warnIf(!model.available),
        ...(model.detail === "" ? {} : { note: model.detail }),
      },
      {
        label: "Embedded memories",
        value: `${number(model.embedded)} of ${number(model.total)}`,
        share: model.embedded / Math.max(1, model.total),
      },
      model.searchedMeanwhile !== "" && {
        label: "Used for search",
        value: model.searchedMeanwhile,
        note: "until all memories are embedded with the new model",
      },
      { label: "Ranking", ...rankingOf(model.lateInteraction, model.searchedMeanwhile !== "") },
      model.pending > 0 && { label: "To embed", value: number(model.pending) },
      {
        label: "Index",
        value: METHODS[model.indexMethod] ?? model.indexMethod,
        note: `${plural(model.indexVectors, "embedding", "embeddings")}, ${bytes(model.indexBytes)}`,
      },
      model.indexWaiting > 0 && { label: "To index", value: number(model.indexWaiting) },
      {
        label: "Index recall",
        value: recall === null ? "Not measured yet" : percent(recall),
        level: warnIf(recall !== null && recall < LOW_RECALL),
        ...(recall === null ? {} : { note: "of the exact matches" }),
      },
    ),
  };
}

function database({ status, backups, now }: StatusSnapshot): StatusPanelData {
  const { store, process } = status;
  const backupsKept = backups ?? [];
  const size = backupsKept.reduce((sum, backup) => sum + backup.bytes, 0);
  return {
    name: "Database",
    lines: lines(
      { label: "State", value: STATES[status.state], level: status.state === "degraded" ? "danger" : "plain" },
      { label: "Size", value: bytes(store.bytes), note: "including the write-ahead log" },
      { label: "Memories", value: number(store.memories), link: { to: "/memories", text: "Memories" } },
      { label: "Forgotten", value: number(store.deleted), link: { to: "/memories?forgotten=1", text: "Forgotten" } },
      { label: "Pending writes", value: number(store.waitingWrites) },
      { label: "Pending hook events", value: number(store.spool) },
      { label: "Rejected hook events", value: number(store.spoolRejected), level: warnIf(store.spoolRejected > 0) },
      {
        label: "Last backup",
        ...(store.lastBackup === null ? { value: "None yet" } : at(store.lastBackup, now)),
        level: backupLevel(status),
      },
      backupsKept.length > 0 && {
        label: "Backups",
        value: number(backupsKept.length),
        note: [bytes(size), newestContents(backupsKept)].filter(Boolean).join(", "),
      },
      { label: "Free disk space", value: bytes(process.diskFreeBytes), level: diskLevel(process.diskFreeBytes) },
      { label: "Schema", value: `Version ${String(store.schemaVersion)}` },
    ),
  };
}

/** What the newest backup holds; empty if that isn't recorded. */
function newestContents(backups: readonly BackupRow[]): string {
  const memories = backups.find((backup) => !backup.in_future)?.memories ?? null;
  if (memories === null) return "";
  return memories === 0 ? "the newest is empty" : `${plural(memories, "memory", "memories")} in the newest`;
}

function retention({ status, now }: StatusSnapshot): StatusPanelData {
  const policy = status.retention;
  const link = { to: "/help/privacy#how-long-data-is-kept", text: "How long data is kept" };
  if (policy === null) return { name: "Retention", lines: [{ label: "Cleanup", value: "Unknown", link }] };
  const { last } = policy;
  const next = policy.nextAt;
  const purged = Object.entries(last?.removed ?? {}).filter(([, count]) => count > 0);
  return {
    name: "Retention",
    lines: lines(
      {
        label: "Next cleanup",
        ...(policy.running ? { value: "Running" } : next === null ? { value: "Soon" } : { value: clock(next, now), moment: next }),
        link,
      },
      last === null
        ? { label: "Last cleanup", value: "None yet" }
        : {
            label: "Last cleanup",
            ...at(last.endedAt, now),
            note: `${last.outcome === "done" ? "Completed" : `Stopped: ${last.outcome}`}; blocked writes for at most ${last.longestMs.toFixed(1)} ms`,
            level: warnIf(last.outcome === "unavailable"),
          },
      last !== null && purged.length === 0 && { label: "Deleted", value: "Nothing expired" },
      ...purged.map(([kind, count]) => ({ label: `Deleted: ${dataKindLabel(kind)}`, value: number(count) })),
      ...Object.entries(last?.failed ?? {}).map(([kind, why]): StatusLine => ({
        label: `Failed: ${dataKindLabel(kind)}`,
        value: why,
        level: "warn",
      })),
      { label: "Unused space in the file", value: bytes(policy.freeBytes), note: "reused for new data" },
      { label: "Periods", value: "By kind of data", link: { to: settingPath("Privacy and retention"), text: "Change in Settings" } },
    ),
  };
}

function process({ status, cpu, now }: StatusSnapshot): StatusPanelData {
  const used = status.process;
  return {
    name: "Process",
    lines: lines(
      { label: "Version", value: status.version },
      { label: "Process", value: `PID ${String(status.pid)}` },
      { label: "Uptime", value: duration(status.uptime), moment: status.startedAt },
      { label: "RAM", value: bytes(used.rssBytes) },
      { label: "CPU", value: cpu === null ? "Measuring…" : `${cpu.toFixed(1)} %`, note: `of one core; ${duration(used.cpuS)} in total` },
      { label: "Threads", value: number(used.threads) },
      { label: "Open files and sockets", value: number(used.handles) },
      used.children > 0 && { label: "Child processes", value: number(used.children) },
      { label: "Address", value: `${status.host}:${String(status.port)}`, note: "this computer only" },
      { label: "Workspace", value: status.agentsDir },
      { label: "Log", value: status.logFile },
      secondsSince(status.startedAt, now) < 0 && { label: "Clock", value: "The daemon's clock is ahead of this page", level: "warn" },
    ),
  };
}

function sessions({ status, now }: StatusSnapshot): StatusPanelData {
  const { capture } = status;
  const until = capture?.until ?? null;
  return {
    name: "Sessions",
    lines: lines(
      { label: "Active sessions", value: number(status.activeSessions), note: "not ended, active in the last 4 hours" },
      {
        label: "Capture",
        value:
          capture === null || capture === undefined
            ? "Unknown"
            : !capture.paused
              ? "On"
              : until === null
                ? "Paused until you resume"
                : `Paused until ${clock(until, now)}`,
      },
    ),
  };
}

function settings({ status }: StatusSnapshot): StatusPanelData {
  const problems = status.settingProblems;
  const link = { to: "/settings", text: "Settings" };
  if (problems.length === 0) return { name: "Settings", lines: [{ label: "agent.yaml", value: "Valid", link }] };
  return {
    name: "Settings",
    lines: problems.map(({ key, message }) => ({
      label: key,
      value: message,
      level: "warn",
      link: { to: settingPath(key), text: "Change in Settings" },
    })),
  };
}
