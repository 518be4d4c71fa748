import { expect, test } from "vitest";

import { heldOf, shortcutOf } from "./shortcut-keys";

const NONE = { ctrlKey: false, altKey: false, shiftKey: false, metaKey: false };

test("a pressed shortcut is written as the daemon reads it", () => {
  expect(shortcutOf({ ...NONE, ctrlKey: true, altKey: true, key: "m", code: "KeyM" })).toBe("Ctrl+Alt+M");
  expect(shortcutOf({ ...NONE, metaKey: true, shiftKey: true, key: " ", code: "Space" })).toBe("Shift+Super+Space");
  expect(shortcutOf({ ...NONE, key: "F9", code: "F9" })).toBe("F9");
  expect(shortcutOf({ ...NONE, ctrlKey: true, key: "ArrowUp", code: "ArrowUp" })).toBe("Ctrl+Up");
});

test("a letter counts by what is on its key, whatever Alt makes it type", () => {
  expect(shortcutOf({ ...NONE, ctrlKey: true, key: "z", code: "KeyY" })).toBe("Ctrl+Z");
  expect(shortcutOf({ ...NONE, altKey: true, key: "µ", code: "KeyM" })).toBe("Alt+M");
});

test("modifiers alone are no shortcut yet", () => {
  const held = { ...NONE, ctrlKey: true, shiftKey: true, key: "Shift", code: "ShiftLeft" };
  expect(shortcutOf(held)).toBeUndefined();
  expect(heldOf(held)).toBe("Ctrl+Shift+");
});
