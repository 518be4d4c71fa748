import { expect, test } from "vitest";

import { fittingCount } from "./overflow";

const bar = { widths: [50, 60, 70], gap: 2, menu: 40 };

test("all are shown where they fit, without a menu", () => {
  expect(fittingCount({ ...bar, room: 184 })).toBe(3);
});

test("the menu takes room of its own", () => {
  expect(fittingCount({ ...bar, room: 183 })).toBe(2);
  expect(fittingCount({ ...bar, room: 153 })).toBe(1);
});

test("where nothing fits, all go into the menu", () => {
  expect(fittingCount({ ...bar, room: 60 })).toBe(0);
});

test("before anything is measured, all are shown", () => {
  expect(fittingCount({ widths: [0, 0], room: 0, gap: 0, menu: 0 })).toBe(2);
});
