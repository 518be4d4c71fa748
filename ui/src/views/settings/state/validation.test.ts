import { expect, test } from "vitest";

import { settingRow } from "$lib/settings/testing";
import { boundsOf, readTyped, stepOf, stepped } from "./validation";

const days = settingRow({ key: "retention.days", low: 1, high: 3650, default: 30 });
const share = settingRow({ key: "capture.keepAt", whole: false, low: 0, high: 1, default: 0.7 });

test("a number is read with the separators that people type", () => {
  expect(readTyped(days, " 1,024 ")).toEqual({ value: 1024 });
  expect(readTyped(days, "1 024")).toEqual({ value: 1024 });
  expect(readTyped(share, "0,55")).toEqual({ value: 0.55 });
  expect(readTyped(share, ".5")).toEqual({ value: 0.5 });
  expect(readTyped(settingRow({ key: "low.number" }), "-5")).toEqual({ value: -5 });
});

test("what is no such number is refused with what would be", () => {
  expect(readTyped(days, "a week")).toEqual({ error: "Enter a whole number (1 to 3,650)." });
  expect(readTyped(days, "1.5")).toEqual({ error: "Enter a whole number (1 to 3,650)." });
  expect(readTyped(days, "")).toEqual({ error: "Enter a whole number (1 to 3,650)." });
  expect(readTyped(days, "0")).toEqual({ error: "Enter a number from 1 to 3,650." });
  expect(readTyped(share, "1e999")).toEqual({ error: "Enter a number (0 to 1)." });
  expect(readTyped(share, "1.01")).toEqual({ error: "Enter a number from 0 to 1." });
});

test("bounds are told in words", () => {
  expect([boundsOf(days), boundsOf({ low: 1, high: null }), boundsOf({ low: null, high: 9 }), boundsOf({ low: null, high: null })]).toEqual(
    ["1 to 3,650", "at least 1", "at most 9", ""],
  );
});

test("text is taken as it is, without space around it", () => {
  const text = settingRow({ key: "embedding.model", kind: "text" });
  expect(readTyped(text, " nomic ")).toEqual({ value: "nomic" });
  expect(readTyped(text, "a".repeat(5_000))).toHaveProperty("error");
});

test("arrow keys step along round numbers and stop at the bounds", () => {
  expect([stepOf(days), stepOf(share), stepOf(settingRow({ key: "chars", default: 24_000 }))]).toEqual([1, 0.01, 1_000]);
  expect(stepped(share, 0.7, 1)).toBe(0.71);
  expect(stepped(share, 0.7, -10)).toBe(0.6);
  expect(stepped(share, 0.995, 1)).toBe(1);
  expect(stepped(share, 0.995, -1)).toBe(0.99);
  expect(stepped(days, 1, -1)).toBe(1);
  expect(stepped(settingRow({ key: "chars", default: 24_000 }), 24_500, 1)).toBe(25_000);
});
