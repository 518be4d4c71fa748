import { expect, test } from "vitest";

import { byDay } from "./group-by-day";

const NOW = new Date(2026, 10, 22, 12).getTime();
const on = (...parts: [number, number, number, number]): { at: string } => ({ at: new Date(...parts).toISOString() });

test("events are grouped by their day, newest first", () => {
  const days = byDay([on(2026, 10, 21, 9), on(2026, 10, 22, 8), on(2026, 10, 22, 11)], NOW);
  expect(days.map((day) => [day.label, day.events.length])).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
  ]);
  expect(days[0]?.events[0]).toEqual(on(2026, 10, 22, 11));
});

test("an older day is told by its date, with the year where it is another", () => {
  const labels = byDay([on(2026, 2, 3, 12), on(2024, 2, 3, 12)], NOW).map((day) => day.label);
  expect(labels[0]).toMatch(/Mar/);
  expect(labels[0]).not.toMatch(/2026/);
  expect(labels[1]).toMatch(/2024/);
});

test("the last minute of a day and the first of the next are two days", () => {
  const late = { at: new Date(2026, 10, 20, 23, 59).toISOString() };
  const early = { at: new Date(2026, 10, 21, 0, 1).toISOString() };
  expect(byDay([late, early], NOW)).toHaveLength(2);
});

test("what is no moment comes last under its own words", () => {
  expect(byDay([{ at: "soon" }, on(2026, 10, 22, 8)], NOW).map((day) => day.label)).toEqual(["Today", "soon"]);
});
