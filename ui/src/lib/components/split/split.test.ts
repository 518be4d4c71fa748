import { beforeEach, expect, test } from "vitest";

import { bounds, saveShare, readShare, shareAfterKey, shareAt, within } from "./split";

beforeEach(() => {
  localStorage.clear();
});

test("both panes keep their least width", () => {
  expect(bounds(1000, 300, 400)).toEqual({ min: 30, max: 60 });
});

test("a width that is too small for both leaves one place, that of the second pane's least", () => {
  const at = bounds(500, 300, 400);
  expect(at.min).toBe(at.max);
  expect(at.max).toBe(20);
});

test("an unknown width forbids nothing", () => {
  expect(bounds(0, 300, 400)).toEqual({ min: 0, max: 100 });
});

test("the divider follows the pointer no farther than its bounds", () => {
  const at = { min: 30, max: 60 };
  expect(shareAt(600, 100, 1000, at)).toBe(50);
  expect(shareAt(0, 100, 1000, at)).toBe(30);
  expect(shareAt(5000, 100, 1000, at)).toBe(60);
});

test.each([
  ["ArrowLeft", false, 48],
  ["ArrowRight", false, 52],
  ["ArrowLeft", true, 40],
  ["ArrowRight", true, 60],
  ["Home", false, 30],
  ["End", false, 60],
  ["a", false, undefined],
])("%s (a leap: %s) moves it from 50 to %s", (key, leap, to) => {
  expect(shareAfterKey(key, 50, { min: 30, max: 60 }, leap)).toBe(to);
});

test("a key never moves it out of its bounds", () => {
  expect(shareAfterKey("ArrowRight", 60, { min: 30, max: 60 }, true)).toBe(60);
});

test("what was kept is found again, and the usual place is not kept", () => {
  saveShare("list", 44, 62);
  expect(readShare("list", 62)).toBe(44);
  saveShare("list", 62, 62);
  expect(localStorage.getItem("list")).toBeNull();
  expect(readShare("list", 62)).toBe(62);
});

test.each(["", "wide", "-4", "100", "NaN"])("the usual place stands in for a stored %j", (text) => {
  localStorage.setItem("list", text);
  expect(readShare("list", 62)).toBe(62);
});

test("a share is brought within its bounds", () => {
  expect(within(10, { min: 20, max: 80 })).toBe(20);
});
