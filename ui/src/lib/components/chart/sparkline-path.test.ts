import { expect, test } from "vitest";

import { severityOf } from "./severity";
import { extent, sparklinePath, describeSeries } from "./sparkline-path";

test("a series fills its frame from the least to the greatest value", () => {
  expect(sparklinePath([0, 5, 10], 106, 26)).toEqual({ path: "M3 23L53 13L103 3", last: { x: 103, y: 3 } });
});

test("a missing value leaves a gap, and a value alone is a dot", () => {
  const { path } = sparklinePath([1, null, 2, null, 3, 4], 100, 20);
  expect(path.match(/M/g)).toHaveLength(3);
  expect(path.match(/h0/g)).toHaveLength(2);
});

test("a series that ends in a gap has no last point", () => {
  expect(sparklinePath([1, 2, null], 100, 20).last).toBeUndefined();
});

test("a flat series runs through the middle", () => {
  expect(sparklinePath([4, 4], 106, 26).path).toBe("M3 13L103 13");
});

test("a flat series at its floor lies at the foot", () => {
  expect(sparklinePath([0, 0], 106, 26, 0).path).toBe("M3 23L103 23");
});

test("no value that is a number makes no line", () => {
  expect(sparklinePath([null, Number.NaN], 100, 20)).toEqual({ path: "", last: undefined });
  expect(sparklinePath([], 100, 20).path).toBe("");
});

test("100,000 values have an extent", () => {
  expect(extent(Array.from({ length: 100_000 }, (_, index) => index))).toEqual({ min: 0, max: 99_999 });
});

test("a series is told in words", () => {
  const shown = (value: number): string => `${String(value)} ms`;
  expect(describeSeries("Recall", [4, null, 12, 6], shown)).toBe("Recall: 6 ms now, between 4 ms and 12 ms, 1 value missing");
  expect(describeSeries("Recall", [3, 3], shown)).toBe("Recall: 3 ms now, always 3 ms");
  expect(describeSeries("Recall", [3, null], shown)).toContain("none now");
  expect(describeSeries("Recall", [], shown)).toBe("Recall: no values");
});

test.each([
  [0.5, "plain"],
  [0.8, "warn"],
  [0.95, "danger"],
] as const)("%s is %s where much is bad", (value, level) => {
  expect(severityOf(value, 0.75, 0.9)).toBe(level);
});

test.each([
  [0.9, "plain"],
  [0.4, "warn"],
  [0.1, "danger"],
] as const)("%s is %s where little is bad", (value, level) => {
  expect(severityOf(value, 0.5, 0.2)).toBe(level);
});

test("without thresholds nothing is alarming", () => {
  expect(severityOf(1, undefined, undefined)).toBe("plain");
});
