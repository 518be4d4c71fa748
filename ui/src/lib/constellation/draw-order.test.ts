import { expect, test } from "vitest";

import { composeOrder, layersOf, sampled, spreadOrder } from "./draw-order";
import { DIMMED, HIDDEN, LIT, SHOWN } from "./values";

test.each([0, 1, 2, 3, 10, 997, 5_000])("each of %i points has one place", (count) => {
  expect([...spreadOrder(count)].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
});

test("the first points of the order are spread over all", () => {
  const tenths = new Set([...spreadOrder(10_000).subarray(0, 100)].map((index) => Math.floor(index / 1_000)));
  expect(tenths.size).toBe(10);
});

test("lit points are drawn last, and hidden ones not at all", () => {
  const layers = layersOf(Uint8Array.of(LIT, HIDDEN, SHOWN, DIMMED), Uint32Array.of(0, 1, 2, 3));
  const order = new Uint32Array(4);
  expect(composeOrder(layers, undefined, order)).toBe(3);
  expect([...order.subarray(0, 3)]).toEqual([3, 2, 0]);
});

test("a sample keeps lit points, and a share of the others", () => {
  const emphasis = new Uint8Array(1_000).fill(SHOWN).fill(DIMMED, 0, 500).fill(LIT, 990);
  const [dimmed, shown, lit] = sampled(layersOf(emphasis, spreadOrder(1_000)), 109);
  expect([dimmed.length, shown.length, lit.length]).toEqual([50, 49, 10]);
});

test("of more lit points than can be drawn, a part is", () => {
  const layers = sampled(layersOf(new Uint8Array(100).fill(LIT), spreadOrder(100)), 10);
  expect(layers.map((layer) => layer.length)).toEqual([0, 0, 10]);
});

test("in three dimensions the nearest points are drawn last", () => {
  const projected = Float32Array.of(0, 0, 1, 0, 0, 0.4, 0, 0, 9, 0, 0, NaN);
  const order = new Uint32Array(3);
  composeOrder(layersOf(new Uint8Array(3).fill(SHOWN), spreadOrder(3)), projected, order);
  expect([...order]).toEqual([2, 0, 1]);
});
