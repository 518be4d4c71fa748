import { expect, test } from "vitest";

import { rowInPlace } from "./row-in-place";

const rows = (...ids: string[]): { id: string }[] => ids.map((id) => ({ id }));
const BEFORE = rows("a", "b", "c", "d");

test.each([
  ["b", rows("a", "b", "c"), "b"],
  ["b", rows("a", "d"), "d"],
  ["d", rows("a", "b"), "b"],
  ["gone", rows("a", "b"), "a"],
  [undefined, rows("a"), "a"],
  ["a", [], undefined],
])("of a to d with %s current, these rows have this one current", (id, left, expected) => {
  expect(rowInPlace(id, BEFORE, left)?.id).toBe(expected);
});
