import { expect, test } from "vitest";

import type { View } from "./camera";
import {
  between,
  clamped,
  clipMatrix,
  fitted,
  isSameCamera,
  orbited,
  panned,
  placeAt,
  project,
  PROJECTED,
  projectAll,
  projectionOf,
  zoomedAt,
} from "./camera";
import { clusteredMap } from "./testing";
import type { Camera } from "./values";
import { WHOLE_MAP } from "./values";

const FLAT: View = { camera: WHOLE_MAP, morph: 0, width: 800, height: 600 };
const TURNED: View = { ...FLAT, camera: { ...WHOLE_MAP, dimensions: 3, zoom: 2, azimuth: 0.7, elevation: -0.4, x: 30, z: -20 }, morph: 1 };
const map = clusteredMap(200);

/** Where a view shows a place, rounded. */
function seen(view: View, x: number, y: number, z = 0): number[] | undefined {
  return project(projectionOf(view), x, y, z)?.map((value) => Math.round(value * 1e4) / 1e4);
}

test("the whole map fits in the window, with its centre in the middle and y upwards", () => {
  expect(seen(FLAT, 0, 0)).toEqual([400, 300]);
  const [x = 0, y = 0] = seen(FLAT, 210, 210) ?? [];
  expect(x).toBeGreaterThan(600);
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(60);
});

test("in two dimensions a place's height doesn't matter, in three it is nearer", () => {
  expect(seen(FLAT, 50, 50, 100)).toEqual(seen(FLAT, 50, 50));
  const straight: View = { ...FLAT, camera: { ...WHOLE_MAP, dimensions: 3 }, morph: 1 };
  expect((seen(straight, 50, 0, 100) ?? [])[0]).toBeGreaterThan((seen(straight, 50, 0) ?? [])[0] ?? 0);
});

test("what is behind the eye isn't seen", () => {
  expect(seen({ ...FLAT, camera: { ...WHOLE_MAP, dimensions: 3, zoom: 8 }, morph: 1 }, 0, 0, 200)).toBeUndefined();
});

test.each([
  ["two dimensions", FLAT],
  ["three", TURNED],
  ["between", { ...TURNED, morph: 0.4 }],
])("the matrix for the graphics card shows what the projection does, in %s", (_, view) => {
  const projection = projectionOf(view);
  const matrix = clipMatrix(projection);
  const all = new Float32Array(PROJECTED * map.count);
  projectAll(projection, map, view.morph, all);
  for (let index = 0; index < map.count; index += 1) {
    const place = [...placeAt(map, index, view.morph), 1];
    const row = (number: number): number => place.reduce((sum, value, column) => sum + value * (matrix[4 * column + number] ?? 0), 0);
    const [x, y] = [((row(0) / row(3) + 1) * view.width) / 2, ((1 - row(1) / row(3)) * view.height) / 2];
    expect(x).toBeCloseTo(all[PROJECTED * index] ?? 0, 2);
    expect(y).toBeCloseTo(all[PROJECTED * index + 1] ?? 0, 2);
    expect(row(3)).toBeCloseTo(all[PROJECTED * index + 2] ?? 0, 4);
  }
});

test.each([
  ["two dimensions", FLAT],
  ["three", TURNED],
])("panning moves the centre with the pointer, in %s", (_, view) => {
  const { x, y, z } = view.camera;
  const [px, py] = seen({ ...view, camera: panned(view, 30, -12) }, x, y, z) ?? [];
  expect(px).toBeCloseTo(430, 3);
  expect(py).toBeCloseTo(288, 3);
});

test.each([
  ["two dimensions", FLAT],
  ["three", TURNED],
])("zooming leaves what is below the pointer where it is, in %s", (_, view) => {
  // A place as far away as the centre, and where it is seen.
  const right = projectionOf(view).right;
  const place = [view.camera.x + 40 * right[0], view.camera.y + 40 * right[1], view.camera.z + 40 * right[2]] as const;
  const [px = 0, py = 0] = seen(view, ...place) ?? [];
  const after = seen({ ...view, camera: zoomedAt(view, 1.7, px, py) }, ...place) ?? [];
  expect(after[0]).toBeCloseTo(px, 2);
  expect(after[1]).toBeCloseTo(py, 2);
});

test("zoom has limits, and the centre stays on the map", () => {
  expect(zoomedAt(FLAT, 1e6, 400, 300).zoom).toBe(64);
  expect(zoomedAt(FLAT, 1e-6, 400, 300).zoom).toBe(0.5);
  expect(panned(FLAT, -1e6, 0).x).toBe(210);
});

test("a camera of broken numbers is mended", () => {
  const mended = clamped({ dimensions: 2, x: NaN, y: 1e9, z: 7, zoom: Infinity, azimuth: 9, elevation: -9 });
  expect(mended).toMatchObject({ x: 0, y: 210, z: 0, zoom: 1, elevation: -Math.PI / 2 });
});

test("turning stops at the poles", () => {
  expect(orbited(TURNED.camera, 0, 1e5).elevation).toBe(Math.PI / 2);
});

test.each([
  ["two dimensions", FLAT],
  ["three", { ...TURNED, camera: { ...TURNED.camera, zoom: 1 } }],
])("fitted points are all in the window, in %s", (_, view) => {
  const some = Uint32Array.of(3, 50, 120);
  const camera = fitted(view, map, some);
  for (const index of some) {
    const [x = -1, y = -1] = seen({ ...view, camera }, ...placeAt(map, index, view.morph)) ?? [];
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(800);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(600);
  }
});

test("one point is fitted from a distance, and nothing is the whole map", () => {
  expect(fitted(FLAT, map, Uint32Array.of(3)).zoom).toBe(12);
  expect(fitted({ ...FLAT, camera: { ...WHOLE_MAP, zoom: 9, x: 3 } }, map, undefined)).toEqual(WHOLE_MAP);
});

test("the way between two cameras ends at both, and turns the shorter way", () => {
  const from: Camera = { ...TURNED.camera, azimuth: 3 };
  const to: Camera = { ...TURNED.camera, azimuth: -3, zoom: 8 };
  expect(isSameCamera(between(from, to, 0), from)).toBe(true);
  expect(between(from, to, 1).zoom).toBeCloseTo(8);
  expect(between(from, to, 0.5).zoom).toBeCloseTo(4);
  expect(Math.cos(between(from, to, 0.5).azimuth)).toBeCloseTo(-1);
});
