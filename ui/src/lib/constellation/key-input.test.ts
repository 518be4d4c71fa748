import { expect, test } from "vitest";

import { KeyInput } from "./key-input";
import type { Pixel } from "./outline";
import type { PointerMode } from "./values";

/** A map that writes down what keys make it do. */
function map(isTurned = false) {
  const told: unknown[] = [];
  const tell =
    (name: string) =>
    (...values: unknown[]): void =>
      void told.push([name, ...values]);
  const target = {
    mode: "pan" as PointerMode,
    isTurned,
    size: { width: 100, height: 100 },
    cursorStart: [50, 50] as Pixel,
    walk: tell("walk"),
    open: tell("open"),
    toggleCurrent: tell("toggle"),
    fit: tell("fit"),
    zoom: tell("zoom"),
    pan: tell("pan"),
    orbit: tell("orbit"),
    draw: tell("draw"),
    moveCursor: tell("cursor"),
    select: tell("select"),
  };
  const keys = new KeyInput(target);
  const press = (key: string, held: Partial<Record<"shiftKey" | "altKey" | "ctrlKey", boolean>> = {}): boolean =>
    keys.press({ key, shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, ...held });
  return { told, target, press };
}

test("arrows walk, with Shift they move the map, and turn it in three dimensions", () => {
  const flat = map();
  flat.press("ArrowRight");
  flat.press("ArrowRight", { shiftKey: true });
  expect(flat.told).toEqual([
    ["walk", "right"],
    ["pan", -60, -0],
  ]);
  const turned = map(true);
  turned.press("ArrowUp", { shiftKey: true });
  expect(turned.told).toEqual([["orbit", -0, 60]]);
});

test("Enter opens, Space selects, f fits, plus and minus zoom", () => {
  const { told, press } = map();
  for (const key of ["Enter", " ", "f", "+", "-"]) expect(press(key)).toBe(true);
  expect(told.map((each) => (each as unknown[])[0])).toEqual(["open", "toggle", "fit", "zoom", "zoom"]);
});

test("keys of the page and the system are left to them", () => {
  const { told, press } = map();
  expect([press("p"), press("Tab"), press("f", { ctrlKey: true }), press("ArrowLeft", { altKey: true })]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(told).toEqual([]);
});

test("l and b take a tool, and Escape leaves it; after that Escape is the page's", () => {
  const { target, press } = map();
  press("l");
  expect(target.mode).toBe("lasso");
  press("b");
  expect(target.mode).toBe("box");
  expect(press("Escape")).toBe(true);
  expect(target.mode).toBe("pan");
  expect(press("Escape")).toBe(false);
});

test("a box is drawn from where the cursor was, and what is in it selected", () => {
  const { told, press } = map();
  press("b");
  press("ArrowLeft");
  press("Enter");
  press("ArrowDown", { shiftKey: true });
  press("ArrowRight");
  press("Enter", { altKey: true });
  const outline = [
    [38, 50],
    [50, 50],
    [50, 100],
    [38, 100],
  ];
  expect(told.at(-1)).toEqual(["select", outline, "remove"]);
});

test("Escape gives up a box before it leaves the tool", () => {
  const { told, target, press } = map();
  press("b");
  press("Enter");
  press("ArrowRight");
  expect(press("Escape")).toBe(true);
  expect(target.mode).toBe("box");
  expect(told.slice(-2)).toEqual([
    ["cursor", undefined],
    ["draw", []],
  ]);
});
