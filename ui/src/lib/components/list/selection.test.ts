import { expect, test } from "vitest";

import { EMPTY_SELECTION, retain, select, selectAll, selectedRows, without, type SelectionMode, type Selection } from "./selection";

interface Line {
  readonly id: string;
  readonly text: string;
}

const rows: readonly Line[] = Array.from("abcdefgh", (id) => ({ id, text: id }));
const ids = (selection: Selection): string => [...selection.rows.keys()].toSorted().join("");

/** The selection after some steps: "b" toggles, "-e" is a stretch to it. */
function after(steps: string, start: Selection<Line> = EMPTY_SELECTION, from?: string): Selection<Line> {
  return steps.split(" ").reduce((selection, step) => {
    const how: SelectionMode = step.startsWith("-") ? "range" : "toggle";
    return select(selection, step.replace("-", ""), how, rows, from);
  }, start);
}

test("one row alone takes the place of all others", () => {
  expect(ids(select(selectAll(rows), "c", "one", rows))).toBe("c");
});

test.each([
  ["b", "b"],
  ["b d", "bd"],
  ["b d b", "d"],
  ["c -e", "cde"],
  ["c -a", "abc"],
  ["c -c", "c"],
  ["-d", "d"],
  ["a c -e", "acde"],
  ["a c -e -d", "acd"],
  ["a d -g -e -c", "acd"],
  ["a b b -d", "abcd"],
])("%s selects %s", (steps, expected) => {
  expect(ids(after(steps))).toBe(expected);
});

test("a row that is not listed changes nothing", () => {
  const one = after("b");
  expect([select(one, "z", "range", rows), select(one, "z", "toggle", rows)]).toEqual([one, one]);
});

test("with nothing selected a stretch begins where one stands, and goes on from there", () => {
  const two = after("-d", EMPTY_SELECTION, "c");
  expect(ids(two)).toBe("cd");
  expect(ids(after("-e", two, "d"))).toBe("cde");
  expect(ids(after("-e", after("a a"), "d"))).toBe("de");
});

test("a stretch whose anchor has gone begins anew at its row, and what was selected stays", () => {
  const left = rows.filter((row) => row.id !== "b");
  const lost = select(after("b"), "d", "range", left);
  expect([ids(lost), lost.anchor]).toEqual(["bd", "d"]);
  expect(ids(select(lost, "f", "range", left))).toBe("bdef");
});

test("what is selected as a whole stays with the next stretch", () => {
  expect(ids(after("-c", selectAll(rows), "b"))).toBe("abcdefgh");
  expect(ids(after("-d", retain(selectAll(rows), ["a", "h", "z"]), "c"))).toBe("acdh");
});

test("rows that are gone leave the selection; the stretch goes on from its anchor", () => {
  const some = without(after("b -d"), ["c"]);
  expect([ids(some), some.anchor]).toEqual(["bd", "b"]);
  expect(without(some, ["b"]).anchor).toBeUndefined();
  expect(without(some, ["z"])).toBe(some);
});

test("what is done is done to the rows as they are now", () => {
  const now = selectedRows(after("a b"), [{ id: "a", text: "newer" }]);
  expect(now.map((row) => row.text)).toEqual(["newer", "b"]);
});

test("a stretch over 100,000 rows is quick", () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({ id: `m${String(index)}` }));
  const anchor = select(EMPTY_SELECTION, "m0", "toggle", many);
  const start = performance.now();
  expect(select(anchor, "m99999", "range", many).rows.size).toBe(100_000);
  expect(performance.now() - start).toBeLessThan(1_000);
});
