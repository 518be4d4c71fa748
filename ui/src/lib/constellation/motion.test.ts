import { expect, test } from "vitest";

import { Motion } from "./motion";
import { WHOLE_MAP } from "./values";

const SPACE = { ...WHOLE_MAP, dimensions: 3, azimuth: 1 } as const;

function run(motion: Motion): number[] {
  const morphs: number[] = [];
  for (let now = 1_000; motion.isGoing; now += 100) {
    motion.tick(now);
    morphs.push(motion.morph);
  }
  return morphs;
}

test("the camera travels to where it is sent, and then nothing moves", () => {
  const motion = new Motion(WHOLE_MAP);
  motion.travel({ ...WHOLE_MAP, zoom: 4 });
  motion.tick(0);
  expect(motion.camera.zoom).toBe(1);
  motion.tick(160);
  expect(motion.camera.zoom).toBeCloseTo(2);
  run(motion);
  expect(motion.camera.zoom).toBe(4);
  expect(motion.tick(9_000)).toBe(false);
});

test("the layouts morph into three dimensions and back", () => {
  const motion = new Motion(WHOLE_MAP);
  motion.setDepth(true);
  motion.travel(SPACE);
  const there = run(motion);
  expect(there.at(-1)).toBe(1);
  expect(there).toEqual(there.toSorted((one, other) => one - other));
  motion.travel(WHOLE_MAP);
  expect(run(motion).at(-1)).toBe(0);
});

test("a map without depth stays flat", () => {
  const motion = new Motion(WHOLE_MAP);
  motion.travel(SPACE);
  expect(Math.max(...run(motion))).toBe(0);
});

test("without motion, camera and layouts are there at once", () => {
  const motion = new Motion(WHOLE_MAP);
  motion.setDepth(true);
  motion.jump(SPACE);
  expect([motion.camera, motion.morph, motion.isGoing]).toEqual([SPACE, 1, false]);
});

test("the pointer takes over from the camera on its way", () => {
  const motion = new Motion(WHOLE_MAP);
  motion.travel({ ...WHOLE_MAP, zoom: 4 });
  motion.tick(0);
  motion.move({ ...WHOLE_MAP, x: 5 });
  expect([motion.isGoing, motion.camera.x]).toEqual([false, 5]);
});
