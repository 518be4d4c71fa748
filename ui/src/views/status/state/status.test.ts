import { describe, expect, it } from "vitest";

import type { Status } from "$lib/api/client";
import { bytes, duration } from "$lib/format-units";
import { plural } from "$lib/plural";

import { statusPanels, type StatusLine, type StatusSnapshot } from "./status-panels";
import { redacted, bugReport } from "./bug-report";
import { withSample, type Series } from "./process-history";

const NOW = Date.parse("2026-03-04T12:00:00Z");

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

function status(change: Partial<Status> = {}): Status {
  return { ...WELL, ...change };
}

const MODEL = {
  provider: "onnx",
  model: "minilm",
  dimensions: 384,
  available: true,
  phase: "ready",
  detail: "",
  embedded: 10,
  total: 12,
  pending: 2,
  dead: 0,
  searchedMeanwhile: "",
  lateInteraction: true,
  indexMethod: "mirror",
  indexVectors: 10,
  indexWaiting: 0,
  indexCandidates: 0,
  indexBytes: 4_000,
  indexRecall: 0.99,
};

const DEAD = { id: "dead", level: "warn", title: "1 job failed", text: "See the queue.", command: "", page: "", action: "" } as const;

function seen(change: Partial<Status> = {}, more: Partial<StatusSnapshot> = {}): StatusSnapshot {
  return { status: status(change), jobs: undefined, backups: undefined, cpu: 0.5, now: NOW, ...more };
}

function line(name: string, label: string, what: StatusSnapshot): StatusLine | undefined {
  return statusPanels(what)
    .find((panel) => panel.name === name)
    ?.lines.find((one) => one.label === label);
}

describe("the panels", () => {
  it("give numbers their units", () => {
    expect(line("Process", "RAM", seen())?.value).toBe("58.3 MB");
    expect(line("Process", "Uptime", seen())?.value).toBe("2 h");
    expect(line("Process", "CPU", seen())?.value).toBe("0.5 %");
    expect(line("Sessions", "Active sessions", seen())?.value).toBe("1");
    expect(line("Database", "Last backup", seen())?.value).toBe("3 hours ago");
  });

  it("mark what needs a look in the line too", () => {
    expect(line("Jobs", "Failed", seen({ queue: { pending: 0, leased: 0, dead: 2 } }))?.level).toBe("warn");
    expect(line("Jobs", "Failed", seen())?.level).toBe("plain");
  });

  it("say which model is searched meanwhile", () => {
    expect(line("Model", "Used for search", seen({ embedding: { ...MODEL, searchedMeanwhile: "old" } }))?.value).toBe("old");
    expect(line("Model", "Used for search", seen({ embedding: MODEL }))).toBeUndefined();
  });

  it("say how search ranks", () => {
    expect(line("Model", "Ranking", seen({ embedding: MODEL }))).toEqual({ label: "Ranking", value: "Late interaction" });
    const plain = line("Model", "Ranking", seen({ embedding: { ...MODEL, lateInteraction: false } }));
    expect(plain).toMatchObject({ value: "Keywords and vectors", note: "this provider has no token states" });
  });

  it("say that no model is set up, unless that is not known", () => {
    expect(line("Model", "Model", seen())?.value).toBe("None");
    expect(line("Model", "Model", seen({ state: "degraded" }))?.value).toBe("Unknown");
  });
});

describe("samples", () => {
  const reading = (uptime: number, cpu: number, more: Partial<Status> = {}): Status =>
    status({ uptime, process: { ...status().process, cpuS: cpu }, ...more });
  const run = (...readings: Status[]): Series => readings.reduce<Series>((series, one) => withSample(series, one), []);

  it("tell the share of a core between two readings", () => {
    expect(run(reading(10, 1), reading(12, 1.5)).map((one) => one?.cpu)).toEqual([null, 25]);
  });

  it("leave out a reading that comes too soon", () => {
    expect(run(reading(10, 1), reading(11, 1.2))).toHaveLength(1);
  });

  it("have a gap where nothing was read", () => {
    expect(run(reading(10, 1), reading(60, 2)).map((one) => one?.cpu)).toEqual([null, undefined, null]);
  });

  it("begin anew with another process", () => {
    expect(run(reading(100, 9), reading(2, 0.1, { pid: 8 })).map((one) => one?.cpu)).toEqual([null, undefined, null]);
  });

  it("are the last five minutes", () => {
    const all = Array.from({ length: 200 }, (_, at) => reading(2 * at, at));
    expect(run(...all)).toHaveLength(150);
  });
});

describe("the report", () => {
  it("says what the page says", () => {
    const text = bugReport(seen({ issues: [DEAD], embedding: MODEL }), "Browser 1");
    expect(text).toContain("Intaglio 1.0, 2026-03-04T12:00:00.000Z\nBrowser 1");
    expect(text).toContain("- warn: 1 job failed. See the queue.\n");
    expect(text).toContain("  Last backup: 3 hours ago (2026-03-04T09:00:00Z)");
  });

  it("names no home folder and no sign-in", () => {
    const text = bugReport(seen({ embedding: { ...MODEL, detail: "http://kim:pw1@host:1/ says no" } }), "");
    expect(text).not.toContain("kim");
    expect(text).toContain("Workspace: ~/.agents");
    expect(text).toContain("http://host:1/ says no");
  });

  it.each([
    ["/home/kim/.agents", "~/.agents"],
    ["/" + "root/.agents", "~/.agents"],
    ["/Users/kim/.agents and /rooted/x", "~/.agents and /rooted/x"],
    ["C:\\Users\\Kim\\x", "~\\x"],
  ])("redacts %s", (text, wanted) => {
    expect(redacted(text)).toBe(wanted);
  });
});

describe("units", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.00 kB"],
    [58_300_000, "58.3 MB"],
    [1_234_000_000, "1.23 GB"],
  ])("%d bytes are %s", (count, wanted) => {
    expect(bytes(count)).toBe(wanted);
  });

  it.each([
    [0, "0 s"],
    [59.9, "59 s"],
    [303, "5 min 3 s"],
    [7_200, "2 h"],
    [273_600, "3 d 4 h"],
    [-1, "0 s"],
  ])("%d seconds are %s", (seconds, wanted) => {
    expect(duration(seconds)).toBe(wanted);
  });

  it("one is told from many", () => {
    expect([plural(1, "memory", "memories"), plural(2_000, "memory", "memories")]).toEqual(["1 memory", "2,000 memories"]);
  });
});
