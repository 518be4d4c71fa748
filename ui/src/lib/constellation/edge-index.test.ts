import { expect, test } from "vitest";

import { drawnEdges, edgeIndex, edgesOf } from "./edge-index";
import { DIMMED, HIDDEN, SHOWN } from "./values";

const EDGES = Uint32Array.of(0, 1, 1, 2, 3, 1);
const shown = (count: number): Uint8Array => new Uint8Array(count).fill(SHOWN);
/** A chain of so many edges. */
const chain = (length: number): Uint32Array => Uint32Array.from({ length: 2 * length }, (_, end) => Math.ceil(end / 2));

test("a point's neighbours are those at either end of its edges", () => {
  const index = edgeIndex(EDGES, 5);
  expect([...index.neighbours(1)].sort()).toEqual([0, 2, 3]);
  expect([...index.neighbours(3)]).toEqual([1]);
  expect([...index.neighbours(4)]).toEqual([]);
});

test("edges to hidden points aren't drawn", () => {
  const emphasis = Uint8Array.of(SHOWN, SHOWN, HIDDEN, SHOWN);
  expect([...drawnEdges(EDGES, emphasis, false)]).toEqual([0, 1, 3, 1]);
  expect([...edgesOf(edgeIndex(EDGES, 4), [1, 2], emphasis)]).toEqual([1, 0, 1, 3]);
});

test("edges to dimmed points are drawn of the selection only", () => {
  const emphasis = Uint8Array.of(SHOWN, SHOWN, DIMMED, SHOWN);
  expect([...drawnEdges(EDGES, emphasis, false)]).toEqual([0, 1, 3, 1]);
  expect([...edgesOf(edgeIndex(EDGES, 4), [2], emphasis)]).toEqual([2, 1]);
});

test("few edges are all drawn while nothing moves, and the strongest ones on the way", () => {
  expect(drawnEdges(chain(20_000), shown(20_001), false).length).toBe(40_000);
  const moving = drawnEdges(chain(20_000), shown(20_001), true);
  expect(moving.length).toBe(4_000);
  expect([...moving.subarray(0, 4)]).toEqual([0, 1, 1, 2]);
});

test("of too many edges only the strongest are drawn", () => {
  expect(drawnEdges(chain(20_001), shown(20_002), false).length).toBe(4_000);
});
