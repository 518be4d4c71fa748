import { expect, test } from "vitest";

import type { CommitReading } from "$lib/api/client";

import { readingText } from "./commit-reading.svelte";

const READ: CommitReading = {
  project: "/work/shop",
  enabled: true,
  choice: null,
  commits: 1_204,
  forgotten: 0,
  head: "a".repeat(40),
  readAt: "2026-01-30T09:00:00Z",
  stopped: "",
  reading: false,
};

test.each([
  [{}, "1,204 commits with a body"],
  [{ commits: 1, forgotten: 2 }, "1 commit with a body, 2 forgotten"],
  [{ commits: 0 }, "No commit has more than a subject."],
  [{ commits: 0, stopped: "it has no commits yet" }, "Nothing was read: it has no commits yet."],
  [{ commits: 0, readAt: null }, "Not read yet: it is read after a session starts in this project."],
  [{ commits: 40, reading: true }, "Reading the log: 40 commits with a body so far"],
  [{ enabled: false, commits: 0 }, "The commits of this project aren't read."],
])("what was read is said in words: %o", (change, expected) => {
  expect(readingText({ ...READ, ...change })).toBe(expected);
});
