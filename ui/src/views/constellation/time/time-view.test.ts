import { expect, test } from "vitest";

import { DIMMED, HIDDEN, LIT, SHOWN } from "$lib/constellation/values";

import { ABSENT, CHANGED, dayAfter, differenceOf, emphasisOf, GONE, indexesOf, NEW, NOW, SAME } from "./time-view";

/** Created, last changed, ended: 0 for not. */
function days(...points: [number, number, number][]): Parameters<typeof emphasisOf>[0] {
  const column = (at: 0 | 1 | 2): Uint16Array => Uint16Array.from(points, (point) => point[at]);
  return { count: points.length, created: column(0), changed: column(1), ended: column(2) };
}

test("a memory is there from the day of its creation up to the day before it ended", () => {
  const map = days([10, 0, 0], [10, 0, 20]);
  const seen = [9, 10, 19, 20].map((day) => [...emphasisOf(map, { kind: "asOf", day })]);
  expect(seen).toEqual([
    [HIDDEN, HIDDEN],
    [SHOWN, SHOWN],
    [SHOWN, SHOWN],
    [SHOWN, HIDDEN],
  ]);
});

test.each([
  ["created in between is new", [15, 0, 0], NEW],
  ["created in between and changed is new", [15, 16, 0], NEW],
  ["changed in between is changed", [5, 20, 0], CHANGED],
  ["changed on the first day isn't", [5, 10, 0], SAME],
  ["changed after the last day isn't", [5, 21, 0], SAME],
  ["ended in between is gone", [5, 0, 15], GONE],
  ["ended on the first day is not told", [5, 0, 10], ABSENT],
  ["ended later is the same", [5, 0, 21], SAME],
  ["came and went in between is not told", [12, 0, 15], ABSENT],
  ["created later is not told", [21, 0, 0], ABSENT],
] as const)("between day 10 and day 20, what was %s", (_, point, change) => {
  expect([...differenceOf(days([...point]), 10, 20).change]).toEqual([change]);
});

test("the counts of a difference are those of its points", () => {
  const { change, counts } = differenceOf(days([15, 0, 0], [16, 0, 0], [5, 12, 0], [5, 0, 15], [1, 0, 2], [1, 0, 0]), 10, 20);
  expect([counts[ABSENT], counts[SAME], counts[NEW], counts[CHANGED], counts[GONE]]).toEqual([1, 1, 2, 1, 1]);
  expect([...indexesOf(change, NEW)]).toEqual([0, 1]);
});

test("each way to look at time shows its points", () => {
  const map = days([5, 0, 0], [5, 12, 0], [15, 0, 0], [5, 0, 15]);
  expect([...emphasisOf(map, NOW)]).toEqual([SHOWN, SHOWN, SHOWN, HIDDEN]);
  expect([...emphasisOf(map, { kind: "created", from: 15, to: 15 })]).toEqual([HIDDEN, HIDDEN, SHOWN, HIDDEN]);
  expect([...emphasisOf(map, { kind: "asOf", day: 14 })]).toEqual([SHOWN, SHOWN, HIDDEN, SHOWN]);
  expect([...emphasisOf(map, { kind: "difference", from: 10, to: 20 })]).toEqual([DIMMED, LIT, LIT, LIT]);
});

test("playing takes as many steps for ten years as for a few months, and ends on the last day", () => {
  const steps = (first: number, last: number): number => {
    let count = 0;
    for (let day = first; day < last; day = dayAfter(day, { first, last })) count += 1;
    return count;
  };
  expect([steps(0, 3), steps(0, 80), steps(0, 3_650)]).toEqual([3, 80, 80]);
});
