import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { KeyBuffer } from "./key-buffer";
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

function typed(buffer: KeyBuffer): string[] {
  return buffer.strokes.map((stroke) => stroke.key);
}

beforeEach(() => {
  localStorage.clear();
  ran = [];
  keys = new Keys();
});

afterEach(() => vi.useRealTimers());

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
  expect(shownKey("Mod+k", false)).toBe("Ctrl K");
  expect(shownKey("g m", false)).toBe("g then m");
  expect(shownKey("Shift+ArrowDown", false)).toBe("Shift ↓");
  expect(shownKey("+", false)).toBe("+");
  expect(shownKey(" ", false)).toBe("Space");
  expect(shownKey("Mod+Enter", false)).toBe("Ctrl Enter");
  expect(shownKey("Mod+Enter", true)).toBe("⌘Enter");
  expect(shownKey("ArrowDown", false)).toBe("↓");
});

test("two keys in a row are one shortcut, and nothing is taken that leads nowhere", () => {
  keys.add([shortcut("g m")]);
  expect(press("g").defaultPrevented).toBe(true);
  expect(keys.pendingKeys).toBe("g");
  press("m");
  expect(ran).toEqual(["g m"]);
  expect(keys.pendingKeys).toBe("");
});

test("the rest of a sequence that nobody has does not do what it does alone", () => {
  keys.add([shortcut("g m"), shortcut("#")]);
  press("g");
  press("#");
  press("#");
  expect(ran).toEqual(["#"]);
});

test("Esc ends a sequence, and nothing else", () => {
  keys.add([shortcut("g m"), shortcut("Escape")]);
  press("g");
  press("Escape");
  expect([ran, keys.pendingKeys]).toEqual([[], ""]);
});

test("a sequence waits a moment, not for ever", () => {
  vi.useFakeTimers();
  keys.add([shortcut("g m"), shortcut("m")]);
  press("g");
  vi.advanceTimersByTime(1_500);
  press("m");
  expect(ran).toEqual(["m"]);
});

test("holding Shift for the second key does not end a sequence", () => {
  keys.add([shortcut("g M")]);
  press("g");
  press("Shift", { shiftKey: true });
  press("M", { shiftKey: true });
  expect(ran).toEqual(["g M"]);
});

test("a sequence does not begin while someone types, nor with letters off", () => {
  keys.add([shortcut("g m")]);
  expect(press("g", {}, document.createElement("textarea")).defaultPrevented).toBe(false);
  keys.setLetters(false);
  expect(press("g").defaultPrevented).toBe(false);
  expect(keys.pendingKeys).toBe("");
});

test("a key with Shift means what it does without, unless somebody has it", () => {
  keys.add([shortcut("ArrowDown"), shortcut("ArrowUp"), shortcut("Shift+ArrowUp")]);
  press("ArrowDown", { shiftKey: true });
  press("ArrowUp", { shiftKey: true });
  expect(ran).toEqual(["ArrowDown", "Shift+ArrowUp"]);
});

test("an action answers to the keys that the user gave it, also the next time", () => {
  keys.add([shortcut("e")]);
  keys.bindings.set("e", ["x"]);
  press("e");
  press("x");
  const later = new Keys();
  later.add([shortcut("e")]);
  expect([ran, later.shortcuts.map((one) => later.keysOf(one))]).toEqual([["e"], [["x"]]]);
});

test("keys are reset one by one or all at once", () => {
  keys.add([shortcut("e"), shortcut("p")]);
  keys.bindings.set("e", ["x"]);
  keys.bindings.set("p", []);
  keys.bindings.reset("p");
  press("p");
  keys.bindings.resetAll();
  press("e");
  expect([ran, keys.bindings.hasCustom]).toEqual([["p", "e"], false]);
});

test("what was kept in another form is left out", () => {
  localStorage.setItem("intaglio.keys", '{"e": "x", "p": ["y"]}');
  const read = new Keys();
  expect(read.keysOf(shortcut("e"))).toEqual(["e"]);
  expect(read.keysOf(shortcut("p"))).toEqual(["y"]);
  localStorage.setItem("intaglio.keys", "{");
  expect(new Keys().bindings.hasCustom).toBe(false);
});

test("who else has a key is known, also where it begins a sequence", () => {
  keys.add([shortcut("g m"), shortcut("e"), shortcut("#")]);
  expect(keys.others("#", "g").map((one) => one.id)).toEqual(["g m"]);
  expect(keys.others("#", "e").map((one) => one.id)).toEqual(["e"]);
  expect(keys.others("e", "e")).toEqual([]);
});

test("while a part is on its way no key acts on the page, and what was typed is kept for it", () => {
  keys.add([shortcut("u"), shortcut("Mod+a"), shortcut("g m")]);
  const buffer = keys.hold(() => ran.push("left"));
  for (const key of ["u", "g", "m", "Backspace"]) expect(press(key).defaultPrevented).toBe(true);
  expect(press("a", { ctrlKey: true }).defaultPrevented).toBe(true);
  expect(press("r", { ctrlKey: true }).defaultPrevented).toBe(false);
  expect([ran, typed(buffer)]).toEqual([[], ["u", "g"]]);
  keys.release(buffer);
  press("u");
  expect(ran).toEqual(["u"]);
});

test("Esc leaves a part that is on its way", () => {
  keys.add([shortcut("Escape", { run: () => ran.push("page") })]);
  keys.hold(() => ran.push("left"));
  press("Escape");
  press("Escape");
  expect(ran).toEqual(["left", "page"]);
});

test("a part takes over what was typed for the one before it", () => {
  const first = keys.hold(() => ran.push("first"));
  press("a");
  const second = keys.hold(() => ran.push("second"));
  keys.release(first);
  press("b");
  press("Escape");
  expect([typed(second), ran]).toEqual([["a", "b"], ["second"]]);
});

test("the key that asked for a part is not typed into it by being held down", () => {
  const buffer = keys.hold(() => undefined);
  press("f", { repeat: true });
  expect(typed(buffer)).toEqual([]);
});

test("what was typed early goes into the field that has the focus, and Enter sends its form", () => {
  const form = document.createElement("form");
  const field = document.createElement("input");
  form.append(field);
  document.body.append(form);
  form.addEventListener("submit", () => ran.push(field.value));
  field.focus();
  const buffer = keys.hold(() => undefined);
  for (const key of ["A", " ", "b", "Enter"]) press(key);
  buffer.replay();
  form.remove();
  expect(ran).toEqual(["A b"]);
});

test("Ctrl+Enter pressed early runs its shortcut once, and adds no line", () => {
  const field = document.createElement("textarea");
  document.body.append(field);
  field.focus();
  const buffer = keys.hold(() => undefined);
  for (const key of ["a", "b"]) press(key);
  expect(press("Enter", { ctrlKey: true }).defaultPrevented).toBe(true);
  keys.add([shortcut("Mod+Enter", { inInputs: true, run: () => ran.push(field.value) })]);
  keys.release(buffer);
  const listen = (event: KeyboardEvent): void => {
    keys.handle(event);
  };
  window.addEventListener("keydown", listen);
  buffer.replay();
  window.removeEventListener("keydown", listen);
  field.remove();
  expect([ran, field.value]).toEqual([["ab"], "ab"]);
});

test("what was typed early presses no button", () => {
  const button = document.createElement("button");
  button.addEventListener("click", () => ran.push("clicked"));
  document.body.append(button);
  button.focus();
  const buffer = keys.hold(() => undefined);
  press("Enter");
  buffer.replay();
  button.remove();
  expect(ran).toEqual([]);
});

test("the palette is offered what applies now, the newest scope first, each name once", () => {
  keys.add([shortcut("u", { label: "outer" }), shortcut("e")]);
  keys.add([shortcut("p", { when: () => false }), shortcut("u", { label: "inner" })]);
  expect(keys.applying().map((one) => one.label)).toEqual(["inner", "e"]);
});

test("what a newer scope has all the keys of cannot be reached there, and is not shown", () => {
  keys.add([shortcut("/", { id: "everywhere" }), shortcut("u", { keys: ["u", "U"] }), shortcut("p", { keys: [] })]);
  const leave = keys.add([shortcut("/", { id: "here" }), shortcut("u", { id: "own" })]);
  expect(keys.reachable.map((one) => one.id)).toEqual(["here", "own", "u"]);
  leave();
  expect(keys.reachable.map((one) => one.id)).toEqual(["everywhere", "u"]);
});

test("under what lies over the page, only what works while typing has its keys", () => {
  keys.add([shortcut("Mod+a"), shortcut("p"), shortcut("Mod+Enter", { inInputs: true })]);
  const covered = (key: string, how: KeyboardEventInit = {}): void => {
    const event = new KeyboardEvent("keydown", { key, ...how });
    keys.handle(event, true);
  };
  covered("a", { ctrlKey: true });
  covered("p");
  covered("Enter", { ctrlKey: true });
  expect(ran).toEqual(["Mod+Enter"]);
});
