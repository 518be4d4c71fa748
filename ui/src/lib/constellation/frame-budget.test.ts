import { expect, test } from "vitest";

import { firstBudget, nextBudget } from "./frame-budget";

test("a graphics card draws everything, at full resolution, as long as frames are fast", () => {
  const budget = firstBudget(false);
  expect(nextBudget(budget, 100_000, 16, 2)).toEqual({ points: Infinity, ratio: 3 });
});

test("the first slow frame lowers the resolution, the next ones the number of points", () => {
  const first = nextBudget(firstBudget(false), 100_000, 96, 2);
  expect(first).toEqual({ points: Infinity, ratio: 1.5 });
  expect(nextBudget(first, 100_000, 96, 2)).toEqual({ points: 50_000, ratio: 1.5 });
});

test("on a screen of usual resolution, a slow frame lowers the number of points at once", () => {
  expect(nextBudget(firstBudget(false), 100_000, 96, 1).points).toBe(50_000);
});

test("some points are always drawn", () => {
  let budget = firstBudget(true);
  for (let frame = 0; frame < 20; frame += 1) budget = nextBudget(budget, budget.points, 500, 1);
  expect(budget.points).toBe(4_000);
});

test("more points are drawn again when frames are fast, but only if points were left out", () => {
  const budget = { points: 8_000, ratio: 1.5 };
  expect(nextBudget(budget, 8_000, 16, 1).points).toBe(10_000);
  expect(nextBudget(budget, 5_000, 16, 1)).toBe(budget);
});

test("a frame that is neither slow nor fast changes nothing", () => {
  const budget = { points: 8_000, ratio: 1.5 };
  expect(nextBudget(budget, 8_000, 40, 1)).toBe(budget);
});

test("a pause says nothing about frames", () => {
  expect(nextBudget({ points: 8_000, ratio: 1.5 }, 8_000, 5_000, 1).points).toBe(8_000);
});
