import { expect, test } from "vitest";

import { histogramOf } from "./histogram";

const of = (days: number[], today: number, most: number): ReturnType<typeof histogramOf> =>
  histogramOf({ count: days.length, created: Uint16Array.from(days) }, today, most);

test("each day has its bar up to today", () => {
  expect(of([10, 10, 12], 13, 60)).toEqual({ first: 10, last: 13, width: 1, bars: [2, 0, 1, 0], highest: 2 });
});

test("a longer time has bars of weeks", () => {
  const { width, bars } = of([0, 6, 7, 100], 100, 30);
  expect([width, bars.length, bars[0], bars[1], bars.at(-1)]).toEqual([7, 15, 2, 1, 1]);
});

test("no memories and a clock that was wrong are no trouble", () => {
  expect(of([], 5, 10)).toEqual({ first: 5, last: 5, width: 1, bars: [0], highest: 1 });
  expect(of([9], 5, 10)).toMatchObject({ first: 5, last: 9, bars: [0, 0, 0, 0, 1] });
});
