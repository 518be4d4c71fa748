/** What the page shows besides what is the matter: panels of lines, each a name with its value. */

import type { BackupRow, JobList, Status } from "$lib/api/client";
import { clock, inWords } from "$lib/components/time/format";

import { secondsSince, backupLevel, diskLevel, dataKindLabel, LOW_RECALL, type IssueLevel } from "./issues";
import { bytes, plural, percent, duration } from "./format-units";

export interface StatusLine {
  readonly label: string;
  readonly value: string;
  /** What it means, where the value does not say it. */
  readonly note?: string;
  readonly level?: IssueLevel;
  /** The exact moment behind words such as "3 hours ago". */
  readonly moment?: string;
  readonly link?: { readonly to: string; readonly text: string };
  /** A share of all, shown as a bar. */
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
  /** Per cent of one core; null while there is one sample only. */
  readonly cpu: number | null;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const PHASES: Readonly<Record<string, string>> = {
  idle: "at rest, loaded when it is needed",
  ready: "in memory, ready",
  failing: "failing",
  damaged: "damaged",
  closed: "closed",
};
const METHODS: Readonly<Record<string, string>> = {
  mirror: "in memory, then made exact",
  exact: "exact, straight from the file",
  none: "none yet",
};
const STATES = { ready: "ready", checking: "being checked, changes wait", degraded: "only read" };

const number = (value: number): string => value.toLocaleString();

/** The lines that are there. */
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
  return [queue(snapshot), model(snapshot), database(snapshot), retention(snapshot), process(snapshot), sessions(snapshot), settings(snapshot)];
}

function queue({ status, jobs }: StatusSnapshot): StatusPanelData {
  const { pending, leased, dead } = status.queue;
  const oldest = jobs?.oldest_age_s;
  return {
    name: "Queue",
    lines: lines(
      { label: "Waiting", value: number(pending) },
      { label: "At work", value: number(leased) },
      { label: "Given up", value: number(dead), level: warnIf(dead > 0), link: { to: "/queue", text: "Queue" } },
      jobs !== undefined && { label: "Done in the last minute", value: number(jobs.done_last_minute) },
      typeof oldest === "number" && { label: "The oldest waits", value: duration(oldest) },
    ),
  };
}

function model({ status }: StatusSnapshot): StatusPanelData {
  const model = status.embedding;
  if (model === null) {
    const value = status.state === "ready" ? "none is set up" : "not known now";
    return { name: "Model", lines: [{ label: "Model", value, note: "Words answer alone." }] };
  }
  const recall = model.indexRecall;
  return {
    name: "Model",
    lines: lines(
      { label: "Model", value: model.model === "" ? model.provider : model.model, note: `${model.provider}, ${number(model.dimensions)} numbers a vector` },
      { label: "State", value: PHASES[model.phase] ?? model.phase, level: warnIf(!model.available), ...(model.detail === "" ? {} : { note: model.detail }) },
      { label: "Memories with a vector", value: `${number(model.embedded)} of ${number(model.total)}`, share: model.embedded / Math.max(1, model.total) },
      model.searchedMeanwhile !== "" && { label: "Searched meanwhile", value: model.searchedMeanwhile, note: "until all have a vector of the new model" },
      model.pending > 0 && { label: "Waiting for a vector", value: number(model.pending) },
      { label: "Index", value: METHODS[model.indexMethod] ?? model.indexMethod, note: `${plural(model.indexVectors, "vector", "vectors")}, ${bytes(model.indexBytes)}` },
      model.indexWaiting > 0 && { label: "To be taken into the index", value: number(model.indexWaiting) },
      {
        label: "Recall of the index",
        value: recall === null ? "not checked yet" : percent(recall),
        level: warnIf(recall !== null && recall < LOW_RECALL),
        ...(recall === null ? {} : { note: "of the true neighbours" }),
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
      { label: "Size", value: bytes(store.bytes), note: "with its write-ahead log" },
      { label: "Memories", value: number(store.memories), link: { to: "/memories", text: "Memories" } },
      { label: "Forgotten, recoverable", value: number(store.deleted), link: { to: "/forgotten", text: "Forgotten" } },
      { label: "Writes that wait", value: number(store.waitingWrites) },
      { label: "Hook events unread", value: number(store.spool) },
      { label: "Hook events set aside", value: number(store.spoolRejected), level: warnIf(store.spoolRejected > 0) },
      {
        label: "Last backup",
        ...(store.lastBackup === null ? { value: "none yet" } : at(store.lastBackup, now)),
        level: backupLevel(status, now),
      },
      backupsKept.length > 0 && { label: "Backups kept", value: number(backupsKept.length), note: bytes(size) },
      { label: "Free on the disk", value: bytes(process.diskFreeBytes), level: diskLevel(process.diskFreeBytes) },
      { label: "Schema", value: `version ${String(store.schemaVersion)}` },
    ),
  };
}

function retention({ status, now }: StatusSnapshot): StatusPanelData {
  const policy = status.retention;
  const link = { to: "/help/privacy#how-long-data-is-kept", text: "How long data is kept" };
  if (policy === null) return { name: "Retention", lines: [{ label: "Sweeps", value: "not known now", link }] };
  const { last } = policy;
  const next = policy.nextAt;
  const purged = Object.entries(last?.removed ?? {}).filter(([, count]) => count > 0);
  return {
    name: "Retention",
    lines: lines(
      {
        label: "Next sweep",
        ...(policy.running ? { value: "running now" } : next === null ? { value: "soon" } : { value: clock(next, now), moment: next }),
        link,
      },
      last === null
        ? { label: "Last sweep", value: "none yet" }
        : {
            label: "Last sweep",
            ...at(last.endedAt, now),
            note: `${last.outcome === "done" ? "done" : `cut off: ${last.outcome}`}, held writes up for ${last.longestMs.toFixed(1)} ms at most`,
            level: warnIf(last.outcome === "unavailable"),
          },
      last !== null && purged.length === 0 && { label: "Purged", value: "nothing was over its window" },
      ...purged.map(([kind, count]) => ({ label: `Purged: ${dataKindLabel(kind)}`, value: number(count) })),
      ...Object.entries(last?.failed ?? {}).map(([kind, why]): StatusLine => ({ label: `Failed: ${dataKindLabel(kind)}`, value: why, level: "warn" })),
      { label: "Empty in the file", value: bytes(policy.freeBytes), note: "written next" },
    ),
  };
}

function process({ status, cpu, now }: StatusSnapshot): StatusPanelData {
  const used = status.process;
  return {
    name: "Process",
    lines: lines(
      { label: "Version", value: status.version },
      { label: "Process", value: `pid ${String(status.pid)}` },
      { label: "Running for", value: duration(status.uptime), moment: status.startedAt },
      { label: "Memory", value: bytes(used.rssBytes) },
      { label: "CPU", value: cpu === null ? "measured in two seconds" : `${cpu.toFixed(1)} %`, note: `of one core; ${duration(used.cpuS)} in all` },
      { label: "Threads", value: number(used.threads) },
      { label: "Open files and sockets", value: number(used.handles) },
      used.children > 0 && { label: "Child processes", value: number(used.children) },
      { label: "Address", value: `${status.host}:${String(status.port)}`, note: "this machine only" },
      { label: "Workspace", value: status.agentsDir },
      { label: "Log", value: status.logFile },
      secondsSince(status.startedAt, now) < 0 && { label: "Clock", value: "the daemon's is ahead of this page's", level: "warn" },
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
        value: capture === null || capture === undefined ? "not known now" : !capture.paused ? "on" : until === null ? "paused until you resume it" : `paused until ${clock(until, now)}`,
      },
    ),
  };
}

function settings({ status }: StatusSnapshot): StatusPanelData {
  const problems = status.settingProblems;
  const link = { to: "/help/settings", text: "Settings" };
  if (problems.length === 0) return { name: "Settings", lines: [{ label: "agent.yaml", value: "taken as written", link }] };
  return { name: "Settings", lines: problems.map(({ key, message }) => ({ label: key, value: message, level: "warn", link })) };
}
