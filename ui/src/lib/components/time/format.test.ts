import { expect, test } from "vitest";

import { clock, inWords, left, short } from "./format";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

test.each([
  ["2026-11-21T11:59:30.000Z", "now"],
  ["2026-11-21T12:00:20.000Z", "now"],
  ["2026-11-21T11:55:00.000Z", "5 m"],
  ["2026-11-21T09:00:00.000Z", "3 h"],
  ["2026-11-15T12:00:00.000Z", "6 d"],
])("%s is %s in a column", (iso, shown) => {
  expect(short(iso, NOW)).toBe(shown);
});

test("an older moment is shown by its day, another year's by its month", () => {
  expect(short("2026-03-03T12:00:00.000Z", NOW)).toMatch(/Mar/);
  expect(short("2024-03-03T12:00:00.000Z", NOW)).toMatch(/2024/);
});

test("a sentence counts in full words", () => {
  expect(inWords("2026-11-21T11:59:00.000Z", NOW)).toBe("1 minute ago");
  expect(inWords("2026-11-19T12:00:00.000Z", NOW)).toBe("2 days ago");
});

test("what is no moment is shown as it is", () => {
  expect(short("soon", NOW)).toBe("soon");
});

test.each([
  ["2026-11-21T12:00:00.000Z", "1 min"],
  ["2026-11-21T12:14:30.000Z", "15 min"],
  ["2026-11-21T13:00:00.000Z", "1 h"],
  ["2026-11-21T13:05:00.000Z", "1 h 5 min"],
  ["2026-11-23T15:30:00.000Z", "2 d 3 h"],
])("until %s it is %s", (iso, shown) => {
  expect(left(iso, NOW)).toBe(shown);
});

test("a moment of today is told by the clock, another one with its day", () => {
  expect(clock("2026-11-21T12:30:00.000Z", NOW)).toMatch(/^\d{1,2}:\d\d/);
  expect(clock("2026-12-03T12:30:00.000Z", NOW)).toMatch(/Dec/);
  expect(clock("soon", NOW)).toBe("soon");
});
