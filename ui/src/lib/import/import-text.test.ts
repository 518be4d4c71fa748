import { expect, test } from "vitest";

import type { ImportPreview, ImportRun, ImportSource } from "$lib/api/imports";

import { daysText, expiryText, isActive, previewText, progressText, roughly, sourceText, stateText } from "./import-text";

const SOURCE: ImportSource = {
  id: "claude-code",
  kind: "harness",
  label: "Claude Code",
  place: "~/.claude/projects",
  sessions: 412,
  imported: 0,
  bytes: 1_204_000_000,
  since: "2026-03-03T10:00:00Z",
  until: "2026-03-03T12:00:00Z",
  projects: [
    { key: "/work/shop", name: "shop", sessions: 400 },
    { key: null, name: "", sessions: 12 },
  ],
  expiring: 14,
  expiresAt: "2026-12-01T00:00:00Z",
  estimatedS: 300,
  problem: "",
};

const RUN: ImportRun = {
  id: "i1",
  state: "running",
  keep: "review",
  sources: ["claude-code"],
  created: "2026-11-27T10:00:00Z",
  finished: null,
  sessions: 412,
  done: 12,
  skipped: 0,
  failed: 0,
  bytes: 3_400_000_000,
  bytesDone: 1_200_000_000,
  remainingS: 200,
  kept: 1,
  suggested: 2,
  known: 0,
  problems: [],
  removed: null,
  reason: "",
};

test("a source is its sessions, projects, days and size", () => {
  const day = daysText(SOURCE.since, SOURCE.until);
  expect(sourceText(SOURCE)).toBe(`412 sessions in 1 project, ${day}, 1.20 GB`);
  expect([daysText(null, null), daysText(SOURCE.since, null)]).toEqual(["", day]);
});

test("what is about to be deleted is a warning", () => {
  const later = { ...SOURCE, expiresAt: new Date(Date.now() + 60_000).toISOString() };
  expect(expiryText(later)).toBe("Claude Code will delete 14 sessions within 7 days.");
  const due = { ...SOURCE, expiresAt: "2026-03-03T10:00:00Z" };
  expect(expiryText(due)).toBe("Claude Code will delete 14 sessions within 7 days, some as soon as it starts.");
  expect(expiryText({ ...SOURCE, expiring: 0 })).toBe("");
});

test.each([
  [20, "less than a minute"],
  [61, "about 2 min"],
  [5_000, "about 1 h 24 min"],
])("%d s are %s", (seconds, text) => {
  expect(roughly(seconds)).toBe(text);
});

test.each([
  [
    { sessions: 412, sampled: 40, kept: 96, suggested: 311 },
    "review",
    "About 96 memories would be kept, and about 311 suggestions would wait in your inbox. Estimated from the newest 40 of 412 sessions. Importing takes about 5 min.",
  ],
  [
    { sessions: 3, sampled: 3, kept: 1, suggested: 1 },
    "sure",
    "1 memory would be kept, and 1 less certain line would be left out. Importing takes about 5 min.",
  ],
  [
    { sessions: 2, sampled: 1, kept: 1, suggested: 0 },
    "review",
    "About 1 memory would be kept, and hardly any suggestions would wait in your inbox. Estimated from the newest 1 of 2 sessions. Importing takes about 5 min.",
  ],
  [
    { sessions: 2, sampled: 2, kept: 0, suggested: 0 },
    "review",
    "No memories would be kept, and no suggestions would wait in your inbox. Importing takes about 5 min.",
  ],
  [{ sessions: 0, sampled: 0, kept: 0, suggested: 0 }, "review", "There is nothing to import."],
] satisfies [Omit<ImportPreview, "samples" | "estimatedS">, ImportRun["keep"], string][])(
  "the preview %o with %s is in words",
  (found, keep, text) => {
    expect(previewText({ ...found, samples: [], estimatedS: 300 }, keep)).toBe(text);
  },
);

test.each([
  [{}, "Running", true],
  [{ state: "cancelling" }, "Stopping", true],
  [{ state: "done" }, "Done", false],
  [{ state: "done", failed: 2 }, "Done, 2 failed", false],
  [{ state: "done", removed: "2026-11-27T11:00:00Z" }, "Taken back", false],
] satisfies [Partial<ImportRun>, string, boolean][])("an import with %o is %s", (change, text, active) => {
  const run = { ...RUN, ...change };
  expect([stateText(run), isActive(run)]).toEqual([text, active]);
});

test("progress is in bytes with the time left, as far as it is known", () => {
  expect(progressText(RUN)).toBe("1.20 GB of 3.40 GB, about 4 min left");
  expect(progressText({ ...RUN, remainingS: null })).toBe("1.20 GB of 3.40 GB");
  expect(progressText({ ...RUN, state: "waiting" })).toBe("Waiting to start");
});
