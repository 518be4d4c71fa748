import { expect, test } from "vitest";

import { fitting } from "./fitting";

const bar = { widths: [50, 60, 70], gap: 2, menu: 40 };

test("all are shown where they fit, without a menu", () => {
  expect(fitting({ ...bar, room: 184 })).toBe(3);
});

test("the menu takes room of its own", () => {
  expect(fitting({ ...bar, room: 183 })).toBe(2);
  expect(fitting({ ...bar, room: 153 })).toBe(1);
});

test("where nothing fits, all go into the menu", () => {
  expect(fitting({ ...bar, room: 60 })).toBe(0);
});

test("before anything is measured, all are shown", () => {
  expect(fitting({ widths: [0, 0], room: 0, gap: 0, menu: 0 })).toBe(2);
});
