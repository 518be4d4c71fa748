import { expect, test } from "vitest";

import { boxOutline, isInside, nearestPoint, neighbourTowards, pointsInside } from "./outline";
import { DIMMED, HIDDEN, LIT, SHOWN } from "./values";

/** Projected points at these pixels. */
function points(...pixels: readonly [number, number][]): Float32Array {
  return Float32Array.from(pixels.flatMap(([x, y]) => [x, y, 1]));
}

const shown = (count: number): Uint8Array => new Uint8Array(count).fill(SHOWN);

test("a pixel is within an outline with a notch, or in its notch", () => {
  const outline = [
    [0, 0],
    [10, 0],
    [10, 10],
    [5, 4],
    [0, 10],
  ] as const;
  expect(isInside(outline, 2, 5)).toBe(true);
  expect(isInside(outline, 5, 7)).toBe(false);
  expect(isInside(outline, 12, 5)).toBe(false);
  expect(isInside([], 0, 0)).toBe(false);
});

test("a box holds what is in it, in whichever direction it was drawn", () => {
  const all = points([5, 5], [15, 5], [5, NaN]);
  expect([...pointsInside(boxOutline([0, 0], [10, 10]), all, shown(3))]).toEqual([0]);
  expect([...pointsInside(boxOutline([10, 10], [0, 0]), all, shown(3))]).toEqual([0]);
});

test("what is hidden or dimmed isn't selected", () => {
  const all = points([1, 1], [2, 2], [3, 3], [4, 4]);
  const emphasis = Uint8Array.of(HIDDEN, DIMMED, SHOWN, LIT);
  expect([...pointsInside(boxOutline([0, 0], [9, 9]), all, emphasis)]).toEqual([2, 3]);
});

test("the nearest point within reach is picked, a dimmed one only if there is no other", () => {
  const all = points([10, 10], [13, 10], [40, 40]);
  expect(nearestPoint(all, shown(3), [11, 10], 8)).toBe(0);
  expect(nearestPoint(all, Uint8Array.of(DIMMED, SHOWN, SHOWN), [11, 10], 8)).toBe(1);
  expect(nearestPoint(all, Uint8Array.of(HIDDEN, HIDDEN, SHOWN), [11, 10], 8)).toBeUndefined();
  expect(nearestPoint(all, Uint8Array.of(DIMMED, HIDDEN, SHOWN), [11, 10], 8)).toBe(0);
});

test("arrows walk to the nearest point in their direction", () => {
  const all = points([0, 0], [10, 1], [4, 9], [-5, 0], [0, -7]);
  expect(neighbourTowards(all, shown(5), 0, "right")).toBe(1);
  expect(neighbourTowards(all, shown(5), 0, "down")).toBe(2);
  expect(neighbourTowards(all, shown(5), 0, "left")).toBe(3);
  expect(neighbourTowards(all, shown(5), 0, "up")).toBe(4);
  expect(neighbourTowards(all, shown(5), 1, "right")).toBeUndefined();
});

test("points at the same place are walked through", () => {
  const all = points([5, 5], [5, 5], [5, 5], [9, 5]);
  expect(neighbourTowards(all, shown(4), 0, "right")).toBe(1);
  expect(neighbourTowards(all, shown(4), 1, "right")).toBe(2);
  expect(neighbourTowards(all, shown(4), 2, "right")).toBe(3);
  expect(neighbourTowards(all, shown(4), 2, "left")).toBe(1);
});

test("every point is reached by arrows from any other", () => {
  const all = points(...Array.from({ length: 60 }, (_, n): [number, number] => [(n * 37) % 101, (n * 53) % 97]));
  const reached = new Set([0]);
  for (const from of reached) {
    for (const direction of ["left", "right", "up", "down"] as const) {
      const next = neighbourTowards(all, shown(60), from, direction);
      if (next !== undefined) reached.add(next);
    }
  }
  expect(reached.size).toBe(60);
});
