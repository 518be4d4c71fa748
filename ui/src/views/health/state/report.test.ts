import { describe, expect, it } from "vitest";

import type { Status } from "$lib/api/client";
import type { CheckRow, FigureRow } from "$lib/api/health";
import { bytes, duration } from "$lib/format-units";
import { plural } from "$lib/plural";

import { DEAD, domain, NOW, repairList, report, run, status } from "../testing";

import { dialText, domainTone, figureText } from "./domain-text";
import { panelsOf, type PanelLine } from "./panels";
import { withSample, type Series } from "./process-history";
import { maintenanceText, sentence } from "./repair-text";
import { bugReport, redacted, type Reported } from "./report";

function text(change: Partial<Reported> = {}): string {
  return bugReport({ report: report(), status: status(), repairs: repairList(), agent: "Browser 1", now: NOW, ...change });
}

function check(result: string): CheckRow {
  return { name: result, title: result, reads: "", result, checkedAt: null };
}

describe("a domain", () => {
  it.each([
    [["ok", "info"], "ok"],
    [[], "ok"],
    [["info", "unknown"], "unknown"],
    [["unknown", "warn"], "warn"],
    [["warn", "danger", "ok"], "danger"],
  ])("with the results %j looks %s", (results, tone) => {
    expect(domainTone(domain({ checks: results.map(check) }))).toBe(tone);
  });

  it("with a low score isn't alarming when nothing needs to be done", () => {
    const low = domain({ score: 0.3, status: "unhealthy" });
    expect(dialText(low)).toBe("well, score 30 of 100");
  });
});

describe("a figure", () => {
  it.each([
    [12_000, "", "12,000"],
    [0.5, "share", "50.0 %"],
    [58_300_000, "bytes", "58.3 MB"],
    [7_200, "s", "2 h"],
    [0.25, "s", "0.3 s"],
    [26, "hours", "1 d 2 h"],
    [8.44, "ms", "8.4 ms"],
    ["2026-03-04T09:00:00Z", "moment", "3 hours ago"],
    ["onnx", "", "onnx"],
    [true, "", "Yes"],
    [null, "bytes", "–"],
  ] as [FigureRow["value"], NonNullable<FigureRow["unit"]>, string][])("of %s (%s) is %s", (value, unit, wanted) => {
    expect(figureText({ name: "x", label: "X", value, unit }, NOW)).toBe(wanted);
  });
});

describe("the panels", () => {
  const line = (name: string, label: string, of = status()): PanelLine | undefined =>
    panelsOf(report(), of, NOW)
      .find((panel) => panel.name === name)
      ?.lines.find((one) => one.label === label);

  it("show the figures of each domain and of the installation", () => {
    expect(line("Storage", "Memories")?.value).toBe("12");
    expect(line("Installation", "Uptime")?.value).toBe("2 h");
    expect(line("Cleanup", "State")?.value).toBe("Unknown");
  });

  it("leave the installation out while the status can't be read", () => {
    expect(panelsOf(report(), undefined, NOW).map(({ name }) => name)).toEqual(["Storage"]);
  });
});

describe("samples", () => {
  const reading = (uptime: number, cpu: number, more: Partial<Status> = {}): Status =>
    status({ uptime, process: { ...status().process, cpuS: cpu }, ...more });
  const samples = (...readings: Status[]): Series => readings.reduce<Series>((series, one) => withSample(series, one), []);

  it("tell the share of a core between two readings", () => {
    expect(samples(reading(10, 1), reading(12, 1.5)).map((one) => one?.cpu)).toEqual([null, 25]);
  });

  it("leave out a reading that comes too soon", () => {
    expect(samples(reading(10, 1), reading(11, 1.2))).toHaveLength(1);
  });

  it("have a gap where nothing was read", () => {
    expect(samples(reading(10, 1), reading(60, 2)).map((one) => one?.cpu)).toEqual([null, undefined, null]);
  });

  it("begin anew with another process", () => {
    expect(samples(reading(100, 9), reading(2, 0.1, { pid: 8 })).map((one) => one?.cpu)).toEqual([null, undefined, null]);
  });

  it("are the last five minutes", () => {
    const all = Array.from({ length: 200 }, (_, at) => reading(2 * at, at));
    expect(samples(...all)).toHaveLength(150);
  });
});

describe("the report", () => {
  it("says what the page says", () => {
    const shown = text({ report: report({ issues: [DEAD] }), repairs: repairList({ runs: [run()] }) });
    expect(shown).toContain("Intaglio 1.0, 2026-03-04T12:00:00.000Z\nBrowser 1\n\nClaude Code is connected; it last spoke 3 minutes ago.");
    expect(shown).toContain("- warn failed_jobs: 1 job failed. See the queue.\n");
    expect(shown).toContain("  Storage: 100, 12 memories, 1.20 MB\n");
    expect(shown).toContain("  Claude Code: connected (last event 2026-03-04T11:57:00Z, tools registered, 0 failed, 0 slow)");
    expect(shown).toContain("  7, newest 2026-03-04T09:00:00Z, restore test passed");
    expect(shown).toContain("  2026-03-04T11:00:00Z deduplicate by user: 3");
  });

  it("can be made without the status", () => {
    expect(text({ status: undefined, repairs: undefined })).toContain("Intaglio, 2026-03-04T12:00:00.000Z");
  });

  it("names no home folder and no sign-in", () => {
    const line = "http://kim:pw1@host:1/ says no";
    const shown = text({ report: report({ domains: [domain({ line })] }) });
    expect(shown).not.toContain("kim");
    expect(shown).toContain("Workspace: ~/.agents");
    expect(shown).toContain("http://host:1/ says no");
  });

  it.each([
    ["/home/kim/.agents", "~/.agents"],
    ["/" + "root/.agents", "~/.agents"],
    ["/Users/kim/.agents and /rooted/x", "~/.agents and /rooted/x"],
    ["C:\\Users\\Kim\\x", "~\\x"],
  ])("redacts %s", (path, wanted) => {
    expect(redacted(path)).toBe(wanted);
  });
});

it("a message of a repair becomes a sentence", () => {
  expect(["12 rows added", "Done."].map(sentence)).toEqual(["12 rows added.", "Done."]);
});

describe("the maintenance", () => {
  const maintenance = repairList().maintenance;

  it("says what it does, recommends and waits for", () => {
    expect(maintenanceText(repairList({ maintenance: { ...maintenance, mode: "off" } }))).toContain("Maintenance is off");
    const busy = { ...maintenance, recommended: ["check-fts"], halted: ["deduplicate"], waiting: "the computer runs on battery" };
    const said = maintenanceText(repairList({ maintenance: busy }));
    expect(said).toContain("Recommended: Rebuild the full-text index.");
    expect(said).toContain("changed nothing for the better: Merge duplicates.");
    expect(said).toContain("Heavy work waits: the computer runs on battery.");
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
