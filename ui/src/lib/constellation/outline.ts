/** Which points an outline or a box on the screen contains; and the nearest one to a pixel, or in a direction. */

import { PROJECTED } from "./camera";
import { DIMMED, HIDDEN } from "./values";

export type Pixel = readonly [number, number];
export type Direction = "left" | "right" | "up" | "down";

/** The corners of a box. */
export function boxOutline([ax, ay]: Pixel, [bx, by]: Pixel): Pixel[] {
  return [
    [ax, ay],
    [bx, ay],
    [bx, by],
    [ax, by],
  ];
}

/** Whether a pixel is within a closed outline, by the parity of the edges to the right of it. */
export function isInside(outline: readonly Pixel[], x: number, y: number): boolean {
  let inside = false;
  let previous = outline.at(-1);
  for (const corner of outline) {
    if (previous !== undefined) {
      const [ax, ay] = previous;
      const [bx, by] = corner;
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    }
    previous = corner;
  }
  return inside;
}

/** The points within an outline that are neither hidden nor dimmed. */
export function pointsInside(outline: readonly Pixel[], projected: Float32Array, emphasis: Uint8Array): Uint32Array {
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const found: number[] = [];
  for (let index = 0; index < emphasis.length; index += 1) {
    if ((emphasis[index] ?? HIDDEN) <= DIMMED) continue;
    const [x, y] = [projected[PROJECTED * index] ?? NaN, projected[PROJECTED * index + 1] ?? NaN];
    if (x >= left && x <= right && y >= top && y <= bottom && isInside(outline, x, y)) found.push(index);
  }
  return Uint32Array.from(found);
}

/** The visible point nearest to a pixel, at most `reach` pixels away; one that isn't dimmed, if there is any. */
export function nearestPoint(projected: Float32Array, emphasis: Uint8Array, [px, py]: Pixel, reach: number): number | undefined {
  let found: number | undefined;
  let least = Infinity;
  for (let index = 0; index < emphasis.length; index += 1) {
    const dx = (projected[PROJECTED * index] ?? NaN) - px;
    const dy = (projected[PROJECTED * index + 1] ?? NaN) - py;
    const distance = dx * dx + dy * dy;
    if (!(distance <= reach * reach)) continue;
    const shown = emphasis[index] ?? HIDDEN;
    if (shown === HIDDEN) continue;
    const cost = distance + (shown === DIMMED ? reach * reach : 0);
    if (cost < least) {
      least = cost;
      found = index;
    }
  }
  return found;
}

const STEPS: Readonly<Record<Direction, Pixel>> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
/** Going sideways counts more than going on. */
const SIDEWAYS = 2;

/**
 * The nearest visible point in a direction: within 45° of it, so that each one is in one of the four. Points at the
 * very same place are walked through by their number.
 */
export function neighbourTowards(projected: Float32Array, emphasis: Uint8Array, from: number, direction: Direction): number | undefined {
  const [stepX, stepY] = STEPS[direction];
  const forward = stepX + stepY > 0;
  const [x, y] = [projected[PROJECTED * from] ?? NaN, projected[PROJECTED * from + 1] ?? NaN];
  let found: number | undefined;
  let twin: number | undefined;
  let least = Infinity;
  for (let index = 0; index < emphasis.length; index += 1) {
    if (index === from || emphasis[index] === HIDDEN) continue;
    const [dx, dy] = [(projected[PROJECTED * index] ?? NaN) - x, (projected[PROJECTED * index + 1] ?? NaN) - y];
    if (dx === 0 && dy === 0) {
      if (forward ? index > from && twin === undefined : index < from) twin = index;
      continue;
    }
    const onward = dx * stepX + dy * stepY;
    const sideways = Math.abs(dx * stepY) + Math.abs(dy * stepX);
    if (!(onward > 0 && sideways <= onward)) continue;
    const cost = onward * onward + SIDEWAYS * sideways * sideways;
    if (cost < least) {
      least = cost;
      found = index;
    }
  }
  return twin ?? found;
}
