import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Toasts, type Action } from "./toasts.svelte";

let toasts: Toasts;

beforeEach(() => {
  vi.useFakeTimers();
  toasts = new Toasts();
});

afterEach(() => vi.useRealTimers());

test("a note goes by itself after six seconds", () => {
  toasts.add("Saved");
  vi.advanceTimersByTime(5_999);
  expect(toasts.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.all).toHaveLength(0);
});

const undo = (run: () => void): Action => ({ label: "Undo", hotkey: "u", run });

test("one that offers something waits twelve seconds", () => {
  toasts.add("Forgotten", { action: undo(() => undefined) });
  vi.advanceTimersByTime(11_999);
  expect(toasts.all).toHaveLength(1);
});

test("one that is pointed at stays until it is left", () => {
  const id = toasts.add("Saved");
  toasts.pause(id);
  vi.advanceTimersByTime(60_000);
  expect(toasts.all).toHaveLength(1);
  toasts.resume(id);
  vi.advanceTimersByTime(6_000);
  expect(toasts.all).toHaveLength(0);
});

test("undo takes the newest that can be undone, once", () => {
  const undone: string[] = [];
  toasts.add("first", { action: undo(() => undone.push("first")) });
  toasts.add("second", { action: undo(() => undone.push("second")) });
  toasts.add("plain");
  toasts.undo();
  toasts.undo();
  toasts.undo();
  expect(undone).toEqual(["second", "first"]);
});

test("at most three are shown, the oldest goes", () => {
  for (const text of ["a", "b", "c", "d"]) toasts.add(text);
  expect(toasts.all.map((toast) => toast.text)).toEqual(["b", "c", "d"]);
});
