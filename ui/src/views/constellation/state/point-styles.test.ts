import { expect, test } from "vitest";

import { decodeMap } from "$lib/constellation/decode";
import { encodeMap } from "$lib/constellation/testing";
import { DIMMED, FLAGS, HIDDEN, LIT, SHOWN } from "$lib/constellation/values";

import type { GroupFilter } from "./constellation-url";
import type { Group, Grouping } from "./grouping";
import { countReplacedHidden, emphasisWith, maskOf, shownIndexes, sizesOf, stylesOf, withoutPoints } from "./point-styles";

const group = (value: string, colour: number): Group => ({ value, label: value, count: 1, colour, shape: colour });
const ALL = [group("a", 0), group("b", 1)];
const GROUPING: Grouping = { groups: ALL, all: ALL, of: Uint8Array.of(0, 1, 0), palette: ["red", "blue"] };
const BASE = Uint8Array.of(SHOWN, SHOWN, SHOWN);
const emphasis = (filter: GroupFilter, masks: Uint8Array[], base = BASE): number[] => [...emphasisWith(base, GROUPING, filter, masks)];
const EVERY: GroupFilter = { kind: "without", values: [] };

test("what is sought is lit and the rest dimmed; of several questions, what answers all of them", () => {
  expect(emphasis(EVERY, [])).toEqual([SHOWN, SHOWN, SHOWN]);
  expect(emphasis(EVERY, [Uint8Array.of(1, 1, 0)])).toEqual([LIT, LIT, DIMMED]);
  expect(emphasis(EVERY, [Uint8Array.of(1, 1, 0), Uint8Array.of(0, 1, 1)])).toEqual([DIMMED, LIT, DIMMED]);
});

test("what the legend or the time leaves out stays out, whatever is sought", () => {
  expect(emphasis({ kind: "without", values: ["a"] }, [Uint8Array.of(1, 1, 1)])).toEqual([HIDDEN, LIT, HIDDEN]);
  expect(emphasis({ kind: "only", values: ["a"] }, [])).toEqual([SHOWN, HIDDEN, SHOWN]);
  expect(emphasis(EVERY, [Uint8Array.of(1, 1, 1)], Uint8Array.of(HIDDEN, SHOWN, SHOWN))).toEqual([HIDDEN, LIT, LIT]);
  expect([...withoutPoints(BASE, [1])]).toEqual([SHOWN, HIDDEN, SHOWN]);
});

test("memories that aren't in the map light nothing", () => {
  const places: Record<string, number> = { one: 0, three: 2 };
  expect([...maskOf(3, (id) => places[id], ["three", "elsewhere"])]).toEqual([0, 0, 1]);
});

test("important and pinned memories are larger", () => {
  const map = decodeMap(encodeMap(3, {}, { importance: Uint8Array.of(0, 255, 0), flags: Uint8Array.of(0, 0, FLAGS.pinned) }));
  const [small = 0, important = 0, pinned = 0] = sizesOf(map);
  expect(important).toBeGreaterThan(small);
  expect(pinned).toBeGreaterThan(small);
});

test("each point has the colour and shape of its group", () => {
  const { colour, shape, palette } = stylesOf(BASE, GROUPING, Uint8Array.of(4, 4, 4));
  expect([[...colour], [...shape], palette]).toEqual([
    [0, 1, 0],
    [0, 1, 0],
    ["red", "blue"],
  ]);
});

test("only what is shown or lit can be selected", () => {
  expect([...shownIndexes(Uint8Array.of(HIDDEN, DIMMED, SHOWN, LIT), () => true)]).toEqual([2, 3]);
});

test("replaced memories that aren't drawn are counted apart from forgotten ones", () => {
  const { replaced, forgotten, pinned } = FLAGS;
  const flags = Uint8Array.of(replaced, replaced | pinned, replaced | forgotten, forgotten, 0, replaced);
  expect(countReplacedHidden(flags, Uint8Array.of(HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN, SHOWN))).toBe(2);
});
