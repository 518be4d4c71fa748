import { expect, test } from "vitest";

import type { ListRow } from "$lib/memory/rows";

import { Selection } from "./selection.svelte";

const row = (id: string, version = 1): ListRow => ({ id, version, line: id }) as ListRow;
const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"].map((id) => row(id));
const at = (id: string): ListRow => ROWS.find((one) => one.id === id) ?? row(id);
const ids = (selection: Selection): string => [...selection.picked.keys()].sort().join("");

function toggling(...chosen: string[]): Selection {
  const selection = new Selection();
  for (const id of chosen) selection.toggle(at(id));
  return selection;
}

test("a second toggle takes it back", () => {
  expect(ids(toggling("b", "d", "b"))).toBe("d");
});

test.each([
  ["b", "e", "bcde"],
  ["e", "b", "bcde"],
  ["c", "c", "c"],
])("from %s to %s everything between is chosen", (anchor, to, expected) => {
  const selection = toggling(anchor);
  selection.extend(ROWS, undefined, to);
  expect(ids(selection)).toBe(expected);
});

test("a range shrinks and turns about its anchor, and what was chosen before stays", () => {
  const selection = toggling("a", "d");
  selection.extend(ROWS, undefined, "g");
  expect(ids(selection)).toBe("adefg");
  selection.extend(ROWS, undefined, "e");
  expect(ids(selection)).toBe("ade");
  selection.extend(ROWS, undefined, "c");
  expect(ids(selection)).toBe("acd");
});

test("with nothing chosen a range begins where one stands", () => {
  const selection = new Selection();
  selection.extend(ROWS, "c", "d");
  expect(ids(selection)).toBe("cd");
  selection.extend(ROWS, "d", "e");
  expect(ids(selection)).toBe("cde");
});

test("an anchor that is gone leaves the row alone", () => {
  const selection = toggling("b");
  selection.extend(ROWS.filter((one) => one.id !== "b"), undefined, "d");
  expect(ids(selection)).toBe("bd");
});

test("a forgotten one leaves; the range goes on from the anchor", () => {
  const selection = toggling("b");
  selection.extend(ROWS, undefined, "d");
  selection.drop(["c"]);
  expect(ids(selection)).toBe("bd");
});

test("all, none, and a part that is kept", () => {
  const selection = new Selection();
  selection.take(ROWS);
  expect(selection.count).toBe(8);
  selection.keep(["a", "h", "z"]);
  expect(ids(selection)).toBe("ah");
  selection.clear();
  expect(ids(selection)).toBe("");
});

test("what is done is done to the rows as they are now", () => {
  const selection = toggling("a", "b");
  const now = selection.rows([row("a", 7)]);
  expect(now.map((one) => one.version)).toEqual([7, 1]);
});
