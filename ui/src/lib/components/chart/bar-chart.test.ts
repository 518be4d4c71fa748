import { expect, test } from "vitest";

import { labelEvery, linePath, movedCursor, scaleMarks, scaleTop, stackedBars } from "./bar-chart";

test.each([
  [0, 1],
  [1, 1],
  [3, 4],
  [7, 10],
  [12, 20],
  [431, 500],
])("a scale for %d ends at %d", (most, top) => {
  expect(scaleTop(most)).toBe(top);
});

test("marks of a scale are whole numbers", () => {
  expect([scaleMarks(1), scaleMarks(5), scaleMarks(20)]).toEqual([
    [0, 1],
    [0, 5],
    [0, 10, 20],
  ]);
});

test("a bar stacks its parts and leaves out what is zero", () => {
  const series = [
    { key: "a", label: "A", values: [2, 0], color: "red" },
    { key: "b", label: "B", values: [3, 1], color: "blue" },
  ];
  expect(stackedBars(series, 2)).toEqual([
    [
      { color: "red", from: 0, to: 2 },
      { color: "blue", from: 2, to: 5 },
    ],
    [{ color: "blue", from: 0, to: 1 }],
  ]);
});

test("labels keep a distance", () => {
  expect([labelEvery(7, 600), labelEvery(90, 600), labelEvery(0, 0)]).toEqual([1, 10, 1]);
});

test("a line goes through its values", () => {
  expect(
    linePath(
      [1, 3],
      (at) => at * 10,
      (value) => 5 - value,
    ),
  ).toBe("M0.0 4.0L10.0 2.0");
});

test("keys move the cursor within the points", () => {
  expect([movedCursor("ArrowLeft", 0, 7), movedCursor("End", 0, 7), movedCursor("Home", 3, 7), movedCursor("x", 3, 7)]).toEqual([
    0,
    6,
    0,
    undefined,
  ]);
});
