import { expect, test } from "vitest";

import { recordKey } from "./key-recorder";

function key(name: string, init: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent("keydown", { key: name, ...init });
}

test("a letter may be all, or the first of two", () => {
  expect(recordKey(key("x"), "", false)).toEqual({ kind: "partial", keys: "x" });
  expect(recordKey(key("y"), "x", false)).toEqual({ kind: "done", keys: "x y" });
});

test("a key that is no letter stands alone", () => {
  expect(recordKey(key("k", { ctrlKey: true }), "", true)).toEqual({ kind: "done", keys: "Mod+k" });
  expect(recordKey(key("F2"), "", false)).toEqual({ kind: "done", keys: "F2" });
  expect(recordKey(key("F2"), "g", false).kind).toBe("refused");
});

test("what works while one types takes no letter", () => {
  expect(recordKey(key("s"), "", true).kind).toBe("refused");
});

test("keys that the browser or the page needs are refused", () => {
  expect(recordKey(key("Enter"), "", false).kind).toBe("refused");
  expect(recordKey(key("c", { ctrlKey: true }), "", false).kind).toBe("refused");
});

test("Esc keeps things, Backspace takes the keys away, a modifier alone is nothing", () => {
  expect(recordKey(key("Escape"), "g", false).kind).toBe("cancel");
  expect(recordKey(key("Backspace"), "", false).kind).toBe("clear");
  expect(recordKey(key("Shift"), "g", false).kind).toBe("nothing");
  expect(recordKey(key("x", { isComposing: true }), "", false).kind).toBe("nothing");
});
