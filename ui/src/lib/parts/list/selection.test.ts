import { expect, test } from "vitest";

import { NONE, select, selectAll, without, type Selection } from "./selection";

const rows = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
const ids = (selection: Selection): string => [...selection.ids].toSorted().join("");

test("one row alone takes the place of all others", () => {
  expect(ids(select(selectAll(rows), "c", "one", rows))).toBe("c");
});

test("a row is toggled in and out", () => {
  const once = select(NONE, "b", "toggle", rows);
  const twice = select(once, "d", "toggle", rows);
  expect(ids(twice)).toBe("bd");
  expect(ids(select(twice, "b", "toggle", rows))).toBe("d");
});

test("a stretch goes from the anchor to the row, in both directions", () => {
  const anchor = select(NONE, "c", "toggle", rows);
  expect(ids(select(anchor, "e", "range", rows))).toBe("cde");
  expect(ids(select(anchor, "a", "range", rows))).toBe("abc");
});

test("a second stretch from the same anchor replaces the first and keeps the rest", () => {
  const two = select(select(NONE, "a", "toggle", rows), "c", "toggle", rows);
  const long = select(two, "e", "range", rows);
  expect(ids(long)).toBe("acde");
  expect(ids(select(long, "d", "range", rows))).toBe("acd");
});

test("a stretch without an anchor is its row", () => {
  expect(ids(select(NONE, "d", "range", rows))).toBe("d");
  expect(select(NONE, "d", "range", rows).anchor).toBe("d");
});

test("a stretch whose anchor has gone begins anew", () => {
  const lost = select(NONE, "gone", "toggle", rows);
  expect(select(lost, "b", "range", rows).anchor).toBe("b");
});

test("a row that is not listed changes nothing", () => {
  const one = select(NONE, "b", "toggle", rows);
  expect(select(one, "z", "range", rows)).toBe(one);
});

test("rows that are gone leave the selection", () => {
  const all = selectAll(rows);
  expect(ids(without(all, ["a", "b"]))).toBe("cde");
  expect(without(all, ["a"]).anchor).toBeUndefined();
  expect(without(all, ["z"])).toBe(all);
});

test("a stretch over 100,000 rows is quick", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({ id: `m${String(index)}` }));
  const anchor = select(NONE, "m0", "toggle", many);
  const start = performance.now();
  expect(select(anchor, "m99999", "range", many).ids.size).toBe(100_000);
  expect(performance.now() - start).toBeLessThan(1_000);
});
