/** How the points of a map are drawn: what is left out, dimmed or lit, in which colour, shape and size. */

import { DIMMED, FLAGS, HIDDEN, LIT, SHOWN, type PointStyles, type StarMap } from "$lib/constellation/values";

import { isLeftOut, type GroupFilter } from "./constellation-url";
import type { Grouping } from "./grouping";

const SMALLEST_PX = 4;
const LARGEST_PX = 10;
const PINNED_PX = 2;
const MOST_IMPORTANT = 255;

type IdLookup = (id: string) => number | undefined;

/** 1 for each point of these memories; those that aren't in the map are left out. */
export function maskOf(count: number, indexOf: IdLookup, ids: Iterable<string>): Uint8Array {
  const mask = new Uint8Array(count);
  for (const id of ids) {
    const index = indexOf(id);
    if (index !== undefined) mask[index] = 1;
  }
  return mask;
}

/** The emphasis of points without those of memories that are being forgotten. */
export function withoutPoints(emphasis: Uint8Array, gone: readonly number[]): Uint8Array {
  const rest = emphasis.slice();
  for (const index of gone) rest[index] = HIDDEN;
  return rest;
}

/**
 * The emphasis of points: without the groups that the legend leaves out. Where something is sought,
 * the points in all of the `masks` are lit and the others dimmed.
 */
export function emphasisWith(base: Uint8Array, grouping: Grouping, filter: GroupFilter, masks: readonly Uint8Array[]): Uint8Array {
  const isOut = grouping.all.map(({ value }) => isLeftOut(filter, value));
  return base.map((emphasis, index) => {
    if (emphasis === HIDDEN || isOut[grouping.of[index] ?? 0] === true) return HIDDEN;
    if (masks.length === 0) return emphasis;
    return masks.every((mask) => mask[index] === 1) ? LIT : DIMMED;
  });
}

/** Sizes by importance; pinned memories are larger. */
export function sizesOf({ importance, flags }: StarMap): Uint8Array {
  return importance.map((value, index) => {
    const isPinned = ((flags[index] ?? 0) & FLAGS.pinned) !== 0;
    return Math.round(SMALLEST_PX + ((LARGEST_PX - SMALLEST_PX) * value) / MOST_IMPORTANT) + (isPinned ? PINNED_PX : 0);
  });
}

export function stylesOf(emphasis: Uint8Array, grouping: Grouping, size: Uint8Array): PointStyles {
  const colours = grouping.all.map(({ colour }) => colour);
  const shapes = grouping.all.map(({ shape }) => shape);
  return {
    emphasis,
    colour: grouping.of.map((group) => colours[group] ?? 0),
    palette: grouping.palette,
    shape: grouping.of.map((group) => shapes[group] ?? 0),
    size,
  };
}

/** The indexes of the points that are shown or lit and fulfil a condition. */
export function shownIndexes(emphasis: Uint8Array, isWanted: (index: number) => boolean): Uint32Array {
  const found: number[] = [];
  emphasis.forEach((value, index) => {
    if (value >= SHOWN && isWanted(index)) found.push(index);
  });
  return Uint32Array.from(found);
}

/** How many memories that were replaced, and not forgotten, aren't drawn. */
export function countReplacedHidden(flags: Uint8Array, emphasis: Uint8Array): number {
  let count = 0;
  flags.forEach((flag, index) => {
    if ((flag & (FLAGS.replaced | FLAGS.forgotten)) === FLAGS.replaced && emphasis[index] === HIDDEN) count += 1;
  });
  return count;
}
