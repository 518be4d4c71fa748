import { expect, test } from "vitest";

import { queryOf, matches, type FilterSet } from "./filters";
import type { ListRow } from "./rows";

const NOW = new Date(2026, 10, 22, 15, 30).getTime();
const at = (day: number, hour = 12): string => new Date(2026, 10, day, hour).toISOString();

const ROW: ListRow = {
  id: "a",
  line: "a",
  type: "rule",
  tags: ["db", "build"],
  pinned: true,
  isAlwaysTold: true,
  project: "/work/ring",
  agent: "default",
  isPrivate: false,
  status: "current",
  importance: 0.8,
  who: "user",
  createdAt: at(20),
  version: 1,
  source: "manual",
  session: "s1",
  match: undefined,
};

test.each<[FilterSet, boolean]>([
  [{}, true],
  [{ type: "rule", project: "/work/ring", pinned: true }, true],
  [{ type: "rule", project: "/work/seal" }, false],
  [{ project: null }, false],
  [{ pinned: false }, false],
  [{ tags: ["db"] }, true],
  [{ tags: ["db", "ci"] }, false],
  [{ visibility: "private" }, false],
  [{ who: "agent" }, false],
  [{ source: "session" }, false],
  [{ session: "s1" }, true],
  [{ session: "s2" }, false],
  [{ importance: "high" }, true],
  [{ importance: "medium" }, false],
  [{ importance: "low" }, false],
  [{ when: "today" }, false],
  [{ when: "week" }, true],
  [{ from: "2026-11-20", to: "2026-11-20" }, true],
  [{ from: "2026-11-21" }, false],
  [{ to: "2026-11-19" }, false],
])("%o keeps the row: %s", (filters, expected) => {
  expect(matches(ROW, filters, NOW)).toBe(expected);
});

test("what a search does not tell of a row keeps it", () => {
  const found = { ...ROW, source: undefined, session: undefined, version: undefined };
  expect(matches(found, { source: "session", session: "s9" }, NOW)).toBe(true);
});

test("the day begins at the reader's midnight and includes its last moment", () => {
  const { since, until } = queryOf({ from: "2026-11-20", to: "2026-11-20" }, NOW);
  expect(since).toBe(new Date(2026, 10, 20).toISOString());
  expect(Date.parse(until ?? "") - Date.parse(since ?? "")).toBe(86_400_000 - 1);
  expect(queryOf({ when: "week" }, NOW).since).toBe(new Date(2026, 10, 16).toISOString());
});

test("no project is asked as global alone", () => {
  expect(queryOf({ project: null }, NOW)).toMatchObject({ project: undefined, globalOnly: true });
  expect(queryOf({ project: "x" }, NOW)).toMatchObject({ project: "x", globalOnly: undefined });
});
