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

test("a note of work under way stays, says how far it is, and goes when it is done", () => {
  const id = toasts.add("Moving", { progress: { done: 0, total: 10 } });
  vi.advanceTimersByTime(60_000);
  toasts.update(id, { progress: { done: 5, total: 10 } });
  expect(toasts.all[0]).toMatchObject({ text: "Moving", progress: { done: 5, total: 10 } });
  toasts.update(id, { text: "Moved 10", progress: undefined, action: undo(() => undefined) });
  vi.advanceTimersByTime(11_999);
  expect(toasts.all[0]?.text).toBe("Moved 10");
  vi.advanceTimersByTime(1);
  expect(toasts.all).toHaveLength(0);
});

test("work under way is not crowded out by what comes after it", () => {
  toasts.add("Moving", { progress: { done: 0, total: 10 } });
  for (const text of ["a", "b", "c", "d"]) toasts.add(text);
  expect(toasts.all.map((toast) => toast.text)).toEqual(["Moving", "c", "d"]);
});

test("the end of work is told though its note was dismissed, what comes before is not", () => {
  const id = toasts.add("Moving", { progress: { done: 0, total: 10 } });
  toasts.dismiss(id);
  toasts.update(id, { text: "Moving", progress: { done: 5, total: 10 } });
  expect(toasts.all).toHaveLength(0);
  toasts.update(id, { text: "Moved 10", progress: undefined });
  expect(toasts.all.map((toast) => toast.text)).toEqual(["Moved 10"]);
});

test("a note that changes while it is pointed at stays until it is left", () => {
  const id = toasts.add("Moving");
  toasts.pause(id);
  toasts.update(id, { text: "Moved" });
  vi.advanceTimersByTime(60_000);
  expect(toasts.all).toHaveLength(1);
});

test("what cannot be done now stays offered, says why, and is done later", () => {
  const run = vi.fn();
  let why: string | undefined = "Later.";
  toasts.add("Forgotten", { action: { ...undo(run), blocked: () => why } });
  toasts.undo();
  expect([run.mock.calls.length, toasts.all[0]?.hint]).toEqual([0, "Later."]);
  vi.advanceTimersByTime(11_999);
  why = undefined;
  toasts.undo();
  expect([run.mock.calls.length, toasts.all.length]).toEqual([1, 0]);
});
