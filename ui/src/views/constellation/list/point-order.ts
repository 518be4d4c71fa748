/** The order of points in a list. */

import type { StarMap } from "$lib/constellation/values";

/** The points by their day of creation, the newest first. */
export function newestFirst({ created }: Pick<StarMap, "created">, indexes: Iterable<number>): Uint32Array {
  const day = (index: number): number => created[index] ?? 0;
  return Uint32Array.from(indexes).sort((one, other) => day(other) - day(one) || other - one);
}

/** The points from one to the other in a list; the second alone if the first isn't listed. */
export function rangeOf(order: Uint32Array, from: number, to: number): Uint32Array {
  const [start, end] = [order.indexOf(from), order.indexOf(to)];
  return start < 0 ? Uint32Array.of(to) : order.slice(Math.min(start, end), Math.max(start, end) + 1);
}
