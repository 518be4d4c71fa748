/** Health reports for tests. */

import type { Status } from "$lib/api/client";
import type { AgentHealthRow, DomainRow, HealthReport, IssueRow, RepairList } from "$lib/api/health";

export const NOW = Date.parse("2026-03-04T12:00:00Z");

export const DEAD: IssueRow = {
  id: "failed_jobs",
  level: "warn",
  title: "1 job failed",
  text: "See the queue.",
  command: "",
  page: "/status#queue",
  action: "",
  repair: "",
};

export function issue(change: Partial<IssueRow>): IssueRow {
  return { ...DEAD, page: "", ...change };
}

export function domain(change: Partial<DomainRow> = {}): DomainRow {
  return {
    name: "storage",
    title: "Storage",
    weight: 0.14,
    score: 1,
    status: "healthy",
    line: "12 memories, 1.20 MB",
    figures: [{ name: "totalMemories", label: "Memories", value: 12, unit: "" }],
    checks: [{ name: "storage", title: "Storage", reads: "Counts memories.", result: "ok", checkedAt: "2026-03-04T11:59:58Z" }],
    trend: Array.from({ length: 30 }, () => 1),
    ...change,
  };
}

export function agent(change: Partial<AgentHealthRow> = {}): AgentHealthRow {
  return {
    harness: "claude-code",
    label: "Claude Code",
    state: "connected",
    isInstalled: true,
    tools: "registered",
    lastEventAt: "2026-03-04T11:57:00Z",
    lastKind: "prompt",
    failed: 0,
    slow: 0,
    line: "No event failed",
    ...change,
  };
}

export function report(change: Partial<HealthReport> = {}): HealthReport {
  return {
    at: "2026-03-04T12:00:00Z",
    sentence: "Claude Code is connected; it last spoke 3 minutes ago.",
    isWell: true,
    composite: { score: 0.98, status: "healthy" },
    issues: [],
    domains: [domain()],
    agents: [agent()],
    backups: {
      count: 7,
      newest: "intaglio-1.db",
      newestAt: "2026-03-04T09:00:00Z",
      newestBytes: 1_200_000,
      testedAt: "2026-03-02T09:00:00Z",
      testResult: "passed",
      testText: "12 memories were read.",
    },
    ...change,
  };
}

export function repairList(change: Partial<RepairList> = {}): RepairList {
  return {
    repairs: [
      {
        action: "check-fts",
        title: "Rebuild the full-text index",
        text: "Compares the index with the memories.",
        changesContent: false,
        refused: "",
        lastRunAt: null,
      },
      {
        action: "deduplicate",
        title: "Merge duplicates",
        text: "Forgets what says the same as another memory.",
        changesContent: true,
        refused: "",
        lastRunAt: null,
      },
    ],
    runs: [],
    maintenance: { mode: "observe", lastCycleAt: null, recommended: [], halted: [], waiting: "" },
    ...change,
  };
}

export function run(change: Partial<RepairList["runs"][number]> = {}): RepairList["runs"][number] {
  return {
    id: "r1",
    action: "deduplicate",
    title: "Merge duplicates",
    at: "2026-03-04T11:00:00Z",
    actor: "user",
    reason: "",
    affected: 3,
    message: "3 duplicates forgotten.",
    canUndo: true,
    undoneAt: null,
    ...change,
  };
}

const WELL: Status = {
  status: "running",
  state: "ready",
  reason: "",
  version: "1.0",
  pid: 7,
  uptime: 7_200,
  startedAt: "2026-03-04T10:00:00Z",
  port: 3850,
  host: "127.0.0.1",
  bindHost: "127.0.0.1",
  agentsDir: "/home/kim/.agents",
  logFile: "/home/kim/.agents/daemon.log",
  command: "~/intaglio/.venv/bin/intaglio",
  memoryDb: true,
  activeSessions: 1,
  process: { rssBytes: 58_300_000, threads: 9, handles: 40, children: 0, cpuS: 12, diskFreeBytes: 50e9 },
  store: {
    bytes: 1_200_000,
    schemaVersion: 7,
    memories: 12,
    deleted: 2,
    jobsPending: 0,
    waitingWrites: 0,
    spool: 0,
    spoolRejected: 0,
    lastBackup: "2026-03-04T09:00:00Z",
  },
  queue: { pending: 0, leased: 0, dead: 0 },
  embedding: null,
  retention: null,
  capture: { paused: false },
  settingProblems: [],
  agents: ["Claude Code"],
  issues: [],
};

export function status(change: Partial<Status> = {}): Status {
  return { ...WELL, ...change };
}
