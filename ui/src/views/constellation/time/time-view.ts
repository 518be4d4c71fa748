/**
 * Which points a map shows at a time, from its columns of days. A day counts as a whole: what was
 * created or ended on it is there, or gone, at its end.
 */

import { HIDDEN, DIMMED, LIT, SHOWN, type Shape, type StarMap } from "$lib/constellation/values";

/** What is shown: all there is now, what was created within some days, a past day, or what two days differ by. */
export type TimeView =
  | { readonly kind: "now" }
  | { readonly kind: "created"; readonly from: number; readonly to: number }
  | { readonly kind: "asOf"; readonly day: number }
  | { readonly kind: "difference"; readonly from: number; readonly to: number };

const PLAY_STEPS = 80;

export const NOW: TimeView = { kind: "now" };

type Days = Pick<StarMap, "count" | "created" | "changed" | "ended">;

/** What became of a point between two days; `ABSENT`: it was there on neither. */
export const ABSENT = 0;
export const SAME = 1;
export const NEW = 2;
export const CHANGED = 3;
export const GONE = 4;

/** The changes that are shown, each with its name, its shape and its colour in a palette. */
export const CHANGES = [
  { change: NEW, name: "new", shape: "ring", colour: "added" },
  { change: CHANGED, name: "changed", shape: "square", colour: "changed" },
  { change: GONE, name: "gone", shape: "diamond", colour: "gone" },
] as const satisfies readonly { change: number; name: string; shape: Shape; colour: "added" | "changed" | "gone" }[];

export interface Difference {
  /** ABSENT, SAME, NEW, CHANGED or GONE of each point. */
  readonly change: Uint8Array;
  /** How many there are of each, by its number. */
  readonly counts: readonly number[];
}

function isThere({ created, ended }: Days, index: number, day: number): boolean {
  const end = ended[index] ?? 0;
  return (created[index] ?? 0) <= day && (end === 0 || end > day);
}

/** A value for each point. `Uint8Array.from` with a function takes far longer, and each step of playing waits for it. */
function column(count: number, valueOf: (index: number) => number): Uint8Array {
  const values = new Uint8Array(count);
  for (let index = 0; index < count; index += 1) values[index] = valueOf(index);
  return values;
}

function changeOf(map: Days, index: number, from: number, to: number): number {
  const [before, after] = [isThere(map, index, from), isThere(map, index, to)];
  if (!before) return after ? NEW : ABSENT;
  if (!after) return GONE;
  const changed = map.changed[index] ?? 0;
  return changed > from && changed <= to ? CHANGED : SAME;
}

/**
 * What is new, changed and gone at the end of `to`, compared to the end of `from`. Only the last
 * change of a memory is known: one that changed again after `to` doesn't count as changed.
 */
export function differenceOf(map: Days, from: number, to: number): Difference {
  const counts = [0, 0, 0, 0, 0];
  const change = column(map.count, (index) => {
    const one = changeOf(map, index, from, to);
    counts[one] = (counts[one] ?? 0) + 1;
    return one;
  });
  return { change, counts };
}

/** HIDDEN, DIMMED, SHOWN or LIT of each point. */
export function emphasisOf(map: Days, view: TimeView): Uint8Array {
  const points = (emphasis: (index: number) => number): Uint8Array => column(map.count, emphasis);
  switch (view.kind) {
    case "now":
      return points((index) => (map.ended[index] === 0 ? SHOWN : HIDDEN));
    case "created":
      return points((index) => {
        const created = map.created[index] ?? 0;
        return map.ended[index] === 0 && created >= view.from && created <= view.to ? SHOWN : HIDDEN;
      });
    case "asOf":
      return points((index) => (isThere(map, index, view.day) ? SHOWN : HIDDEN));
    case "difference": {
      const { change } = differenceOf(map, view.from, view.to);
      return change.map((one) => (one === ABSENT ? HIDDEN : one === SAME ? DIMMED : LIT));
    }
  }
}

/** The indexes of the points with this change. */
export function indexesOf(change: Uint8Array, wanted: number): Uint32Array {
  const found: number[] = [];
  change.forEach((one, index) => {
    if (one === wanted) found.push(index);
  });
  return Uint32Array.from(found);
}

/** The indexes of the points that aren't hidden. */
export function shownOf(emphasis: Uint8Array): Uint32Array {
  const found: number[] = [];
  emphasis.forEach((one, index) => {
    if (one !== HIDDEN) found.push(index);
  });
  return Uint32Array.from(found);
}

/** The day to play after this one: through a whole history in about `PLAY_STEPS`. */
export function dayAfter(day: number, { first, last }: { readonly first: number; readonly last: number }): number {
  return Math.min(last, day + Math.max(1, Math.ceil((last - first) / PLAY_STEPS)));
}
