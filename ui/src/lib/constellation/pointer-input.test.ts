import { expect, test, vi } from "vitest";

import type { PointerTarget } from "./pointer-input";
import { changeOf, PointerInput, wheelFactor } from "./pointer-input";
import type { PointerMode } from "./values";

const wheel = (deltaY: number, deltaMode = 0, ctrlKey = false): number => wheelFactor({ deltaY, deltaMode, ctrlKey }, 600);

/** A map that writes down what pointers make it do. */
function map(mode: PointerMode = "pan", isTurned = false) {
  const target = {
    mode,
    isTurned,
    pan: vi.fn(),
    orbit: vi.fn(),
    zoomAt: vi.fn(),
    point: vi.fn(),
    click: vi.fn(),
    draw: vi.fn(),
    select: vi.fn(),
  } satisfies PointerTarget;
  const root = document.createElement("div");
  root.setPointerCapture = () => undefined;
  const stop = new PointerInput(root, target).start();
  const tell = (type: string, x: number, y: number, more: PointerEventInit = {}): void => {
    const event = { clientX: x, clientY: y, pointerId: 1, button: 0, buttons: 1, pointerType: "mouse", ...more };
    root.dispatchEvent(new PointerEvent(type, event));
  };
  return { target, tell, stop };
}

test("the wheel zooms in upwards, by lines as by pixels, and no leap is too long", () => {
  expect(wheel(-100)).toBeGreaterThan(1);
  expect(wheel(100)).toBeCloseTo(1 / wheel(-100));
  expect(wheel(3, 1)).toBeCloseTo(wheel(48));
  expect(wheel(-1e6)).toBeCloseTo(wheel(-400));
});

test("a pinch on a touchpad, told in small steps, zooms faster", () => {
  expect(wheel(-4, 0, true)).toBeGreaterThan(wheel(-4));
});

test("Shift adds to a selection and Alt takes away", () => {
  expect([
    changeOf({ shiftKey: false, altKey: false }),
    changeOf({ shiftKey: true, altKey: false }),
    changeOf({ shiftKey: true, altKey: true }),
  ]).toEqual(["replace", "add", "remove"]);
});

test("a pointer that hardly moves has clicked, and one that moves pans", () => {
  const { target, tell } = map();
  tell("pointerdown", 10, 10);
  tell("pointermove", 12, 11);
  tell("pointerup", 12, 11, { ctrlKey: true });
  expect(target.click).toHaveBeenCalledWith([12, 11], "toggle", 10);
  tell("pointerdown", 10, 10);
  tell("pointermove", 30, 10);
  tell("pointermove", 35, 20);
  tell("pointerup", 35, 20);
  expect(target.pan.mock.calls).toEqual([
    [20, 0],
    [5, 10],
  ]);
  expect(target.click).toHaveBeenCalledTimes(1);
});

test("in three dimensions dragging turns the map, and moves it with Shift", () => {
  const { target, tell } = map("pan", true);
  tell("pointerdown", 0, 0);
  tell("pointermove", 20, 0);
  tell("pointermove", 40, 0, { shiftKey: true });
  expect([target.orbit.mock.calls, target.pan.mock.calls]).toEqual([[[20, 0]], [[20, 0]]]);
});

test("a lasso follows the pointer", () => {
  const { target, tell } = map("lasso");
  tell("pointerdown", 0, 0);
  for (const [x, y] of [
    [20, 0],
    [20, 20],
  ] as const) {
    tell("pointermove", x, y);
  }
  tell("pointerup", 20, 20, { shiftKey: true });
  expect(target.select).toHaveBeenCalledWith(
    [
      [0, 0],
      [20, 0],
      [20, 20],
    ],
    "add",
  );
  expect(target.draw).toHaveBeenLastCalledWith([]);
});

test("a box that the system interrupts selects nothing", () => {
  const { target, tell } = map("box");
  tell("pointerdown", 0, 0);
  tell("pointermove", 20, 30);
  tell("pointercancel", 20, 30);
  expect(target.select).not.toHaveBeenCalled();
});

test("two fingers zoom about their middle and move the map, and don't select", () => {
  const { target, tell } = map("lasso");
  const touch = (pointerId: number): PointerEventInit => ({ pointerId, pointerType: "touch" });
  tell("pointerdown", 0, 0, touch(1));
  tell("pointerdown", 100, 0, touch(2));
  tell("pointermove", 200, 0, touch(2));
  tell("pointerup", 200, 0, touch(2));
  tell("pointerup", 0, 0, touch(1));
  expect(target.zoomAt).toHaveBeenCalledWith(2, [100, 0]);
  expect(target.pan).toHaveBeenCalledWith(50, 0);
  expect([target.select.mock.calls.length, target.click.mock.calls.length]).toEqual([0, 0]);
});

test("what is below the pointer is sought once for many moves", () => {
  vi.useFakeTimers();
  const { target, tell, stop } = map();
  for (let x = 0; x < 20; x += 1) tell("pointermove", x, 0, { buttons: 0 });
  vi.advanceTimersByTime(40);
  expect(target.point.mock.calls).toEqual([[[19, 0]]]);
  tell("pointermove", 30, 0, { buttons: 0 });
  stop();
  vi.advanceTimersByTime(40);
  expect(target.point).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
