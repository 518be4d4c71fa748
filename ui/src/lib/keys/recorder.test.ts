import { expect, test } from "vitest";

import { record } from "./recorder";

function key(name: string, init: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent("keydown", { key: name, ...init });
}

test("a letter may be all, or the first of two", () => {
  expect(record(key("x"), "", false)).toEqual({ kind: "begun", keys: "x" });
  expect(record(key("y"), "x", false)).toEqual({ kind: "done", keys: "x y" });
});

test("a key that is no letter stands alone", () => {
  expect(record(key("k", { ctrlKey: true }), "", true)).toEqual({ kind: "done", keys: "Mod+k" });
  expect(record(key("F2"), "", false)).toEqual({ kind: "done", keys: "F2" });
  expect(record(key("F2"), "g", false).kind).toBe("refused");
});

test("what works while one types takes no letter", () => {
  expect(record(key("s"), "", true).kind).toBe("refused");
});

test("keys that the browser or the page needs are refused", () => {
  expect(record(key("Enter"), "", false).kind).toBe("refused");
  expect(record(key("c", { ctrlKey: true }), "", false).kind).toBe("refused");
});

test("Esc keeps things, Backspace takes the keys away, a modifier alone is nothing", () => {
  expect(record(key("Escape"), "g", false).kind).toBe("cancel");
  expect(record(key("Backspace"), "", false).kind).toBe("clear");
  expect(record(key("Shift"), "g", false).kind).toBe("nothing");
  expect(record(key("x", { isComposing: true }), "", false).kind).toBe("nothing");
});
