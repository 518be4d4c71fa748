import { expect, test } from "vitest";

import { idAt, idLookup } from "$lib/constellation/ids";
import { clusteredMap } from "$lib/constellation/testing";

import { selectedIndexes, selectionAfter } from "./selection";

const MAP = clusteredMap(5);
const id = (index: number): string => idAt(MAP, index);
const NONE: ReadonlySet<string> = new Set();

test("points replace the selection, join it, or leave it", () => {
  const first = selectionAfter(NONE, MAP, [0, 1], "replace");
  const more = selectionAfter(first, MAP, [1, 2], "add");
  expect([...more]).toEqual([id(0), id(1), id(2)]);
  expect([...selectionAfter(more, MAP, [0, 4], "remove")]).toEqual([id(1), id(2)]);
  expect([...selectionAfter(more, MAP, [4], "replace")]).toEqual([id(4)]);
});

test("the selection stays with its memories when the map has another order of points", () => {
  const chosen = selectionAfter(NONE, MAP, [3], "replace");
  const without = { ids: MAP.ids.slice(16), count: 4 };
  expect([...selectedIndexes(chosen, idLookup(without))]).toEqual([2]);
  expect([...selectedIndexes(chosen, idLookup({ ids: MAP.ids.slice(0, 32), count: 2 }))]).toEqual([]);
});
