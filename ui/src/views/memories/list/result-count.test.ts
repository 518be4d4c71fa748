import { expect, test } from "vitest";

import { resultCount } from "./result-count";

function counted(rows: number, stored: number | undefined, isComplete = true): Parameters<typeof resultCount>[0] {
  return { rows: Array.from({ length: rows }), stored, isComplete, phase: "ready" };
}

test.each([
  [counted(1, 1), false, false, "1 memory"],
  [counted(100, 4321, false), false, false, `${(4321).toLocaleString()} memories`],
  [counted(3, 4321), false, true, `3 of ${(4321).toLocaleString()}`],
  [counted(100, 500, false), false, true, "100+ of 500"],
  [counted(0, 500), true, false, "No results"],
  [counted(1, 500), true, false, "1 result"],
  [counted(200, 500), true, true, "Top 200 results"],
])("%# the count in words", (list, searching, filtered, words) => {
  expect(resultCount(list, searching, filtered)).toBe(words);
});

test("nothing is said before the first answer", () => {
  expect(resultCount({ ...counted(0, undefined), phase: "loading" }, false, false)).toBe("");
});
