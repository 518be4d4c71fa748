import { expect, test } from "vitest";

import type { MemoryList } from "$lib/api/client";
import { pageRows, type ListRow } from "$lib/memory/rows";

import { groupedBy, headingsOf, readArrangement, sortedBy, writeArrangement, type Arrangement } from "./arrangement.svelte";

const NOW = Date.parse("2026-11-23T12:00:00");
const row = (id: string, more: Partial<ListRow>): ListRow => ({ id, createdAt: "2026-11-23T11:00:00", ...more }) as ListRow;
const text = (rows: readonly ListRow[], arrangement: Arrangement, counts: [string, number][] = [], isComplete = true): string[] =>
  headingsOf(rows, arrangement, new Map(counts), isComplete, NOW).map(({ at, label, count }) => `${String(at)} ${label} ${count}`);

test("days need an order by time: the other choice gives way", () => {
  expect(sortedBy({ sort: "newest", group: "day" }, "importance")).toEqual({ sort: "importance", group: "none" });
  expect(sortedBy({ sort: "newest", group: "day" }, "changed")).toEqual({ sort: "changed", group: "day" });
  expect(groupedBy({ sort: "used", group: "none" }, "day")).toEqual({ sort: "newest", group: "day" });
  expect(groupedBy({ sort: "used", group: "none" }, "type")).toEqual({ sort: "used", group: "type" });
});

test("a URL says its order, what it leaves out is as remembered, and nonsense is ignored", () => {
  const remembered: Arrangement = { sort: "changed", group: "type" };
  const read = (query: string): Arrangement => readArrangement(new URLSearchParams(query), remembered);
  expect(read("")).toEqual(remembered);
  expect(read("sort=used&group=constructor")).toEqual({ sort: "used", group: "type" });
  expect(read("sort=importance&group=day")).toEqual({ sort: "importance", group: "none" });
  const query = new URLSearchParams();
  writeArrangement(query, { sort: "newest", group: "project" });
  expect(query.toString()).toBe("group=project");
});

test("groups by day count their rows, the last one with a plus while more may follow", () => {
  const rows = [row("a", {}), row("b", { createdAt: "2026-11-23T01:00:00" }), row("c", { createdAt: "2026-11-22T09:00:00" })];
  expect(text(rows, { sort: "newest", group: "day" })).toEqual(["0 Today 2", "2 Yesterday 1"]);
  expect(text(rows, { sort: "newest", group: "day" }, [], false)).toEqual(["0 Today 2", "2 Yesterday 1+"]);
  const changed = [row("a", { updatedAt: "2026-11-22T10:00:00" }), row("b", {})];
  expect(text(changed, { sort: "changed", group: "day" })).toEqual(["0 Yesterday 1", "1 Today 1"]);
});

test("groups by project have the daemon's counts, and a group that starts again keeps the keys apart", () => {
  const rows = [row("a", { group: "/home/ann/lantern" }), row("b", { group: "" }), row("c", { group: "/home/ann/lantern" })];
  expect(
    text(rows, { sort: "newest", group: "project" }, [
      ["/home/ann/lantern", 1_200],
      ["", 3],
    ]),
  ).toEqual(["0 lantern 1,200", "1 All projects 3", "2 lantern 1,200"]);
  const keys = headingsOf(rows, { sort: "newest", group: "project" }, new Map(), true, NOW).map(({ key }) => key);
  expect(new Set(keys).size).toBe(3);
});

test("each row of a page belongs to the group that the page says", () => {
  const memories = ["a", "b", "c"].map((id) => ({ id, content: id, tags: null }));
  const groups = [
    { value: "rule", count: 9, rows: 2 },
    { value: null, count: 4, rows: 1 },
  ];
  expect(pageRows({ memories, groups } as unknown as MemoryList).map(({ group }) => group)).toEqual(["rule", "rule", ""]);
});
