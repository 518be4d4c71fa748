import { expect, test } from "vitest";

import { popoverPosition } from "./position";

const ROOM = { width: 900, height: 600 };
const PANE = { width: 200, height: 300 };

function button(left: number, top: number): { left: number; top: number; right: number; bottom: number } {
  return { left, top, right: left + 40, bottom: top + 28 };
}

test("below the button where there is room", () => {
  expect(popoverPosition(button(100, 50), PANE, "below", ROOM)).toEqual([100, 82]);
});

test("above it where only there is room", () => {
  expect(popoverPosition(button(100, 500), PANE, "below", ROOM)).toEqual([100, 196]);
});

test("beside it, its foot with the button's", () => {
  expect(popoverPosition(button(8, 500), PANE, "beside", ROOM)).toEqual([52, 228]);
});

test("below where it does not fit beside", () => {
  expect(popoverPosition(button(800, 50), PANE, "beside", ROOM)).toEqual([692, 82]);
});

test.each(["below", "beside"] as const)("%s: never outside the window, wherever the button is", (side) => {
  for (let x = -20; x < 920; x += 47) {
    for (let y = -20; y < 620; y += 31) {
      const [left, top] = popoverPosition(button(x, y), PANE, side, ROOM);
      expect(left).toBeGreaterThanOrEqual(8);
      expect(top).toBeGreaterThanOrEqual(8);
      expect(left + PANE.width).toBeLessThanOrEqual(892);
      expect(top + PANE.height).toBeLessThanOrEqual(592);
    }
  }
});

test("what is larger than the window begins where the window does", () => {
  expect(popoverPosition(button(100, 100), { width: 2000, height: 2000 }, "below", ROOM)).toEqual([8, 8]);
});
