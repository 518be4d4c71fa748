import { beforeEach, expect, test } from "vitest";

import { Keys, shownKey, type Shortcut } from "./registry.svelte";

let ran: string[];
let keys: Keys;

function shortcut(key: string, more: Partial<Shortcut> = {}): Shortcut {
  return { id: key, keys: [key], label: key, group: "Test", run: () => ran.push(key), ...more };
}

function press(key: string, init: KeyboardEventInit = {}, target: HTMLElement = document.body): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true, ...init });
  Object.defineProperty(event, "target", { value: target });
  keys.handle(event);
  return event;
}

beforeEach(() => {
  localStorage.clear();
  ran = [];
  keys = new Keys();
});

test("a declared key runs and is taken from the browser", () => {
  keys.add([shortcut("e")]);
  expect(press("e").defaultPrevented).toBe(true);
  expect(ran).toEqual(["e"]);
});

test("a key that nobody declared is left to the browser", () => {
  expect(press("q").defaultPrevented).toBe(false);
});

test("letters are silent while someone types", () => {
  keys.add([shortcut("e"), shortcut("Mod+Enter", { inInputs: true })]);
  const area = document.createElement("textarea");
  press("e", {}, area);
  press("Enter", { ctrlKey: true }, area);
  expect(ran).toEqual(["Mod+Enter"]);
});

test("a range slider does not count as typing", () => {
  keys.add([shortcut("e")]);
  const slider = document.createElement("input");
  slider.type = "range";
  press("e", {}, slider);
  expect(ran).toEqual(["e"]);
});

test("nothing runs in the middle of composing a character", () => {
  keys.add([shortcut("j")]);
  press("j", { isComposing: true });
  expect(ran).toEqual([]);
});

test("holding a key runs only what repeats", () => {
  keys.add([shortcut("j", { repeats: true }), shortcut("e")]);
  press("j", { repeat: true });
  press("e", { repeat: true });
  expect(ran).toEqual(["j"]);
});

test("the scope added last wins, and gives way when it is removed", () => {
  keys.add([shortcut("Escape", { run: () => ran.push("page") })]);
  const remove = keys.add([shortcut("Escape", { run: () => ran.push("dialog") })]);
  press("Escape");
  remove();
  press("Escape");
  expect(ran).toEqual(["dialog", "page"]);
});

test("a shortcut that does not apply lets the next one have the key", () => {
  keys.add([shortcut("u", { run: () => ran.push("outer") })]);
  keys.add([shortcut("u", { when: () => false })]);
  press("u");
  expect(ran).toEqual(["outer"]);
});

test("letters can be switched off for good, other keys stay", () => {
  keys.add([shortcut("e"), shortcut("Escape")]);
  keys.setLetters(false);
  press("e");
  press("Escape");
  expect(ran).toEqual(["Escape"]);
  expect(new Keys().letters).toBe(false);
});

test("Enter on a button stays the button's", () => {
  keys.add([shortcut("Enter")]);
  press("Enter", {}, document.createElement("button"));
  expect(ran).toEqual([]);
});

test("Ctrl and a letter is not the letter", () => {
  keys.add([shortcut("e")]);
  press("e", { ctrlKey: true });
  expect(ran).toEqual([]);
});

test("keys are shown as people read them", () => {
  expect(shownKey("Mod+Enter", false)).toBe("Ctrl Enter");
  expect(shownKey("Mod+Enter", true)).toBe("⌘Enter");
  expect(shownKey("ArrowDown", false)).toBe("↓");
});
