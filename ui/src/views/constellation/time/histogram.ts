/** How many memories were created when. */

import type { StarMap } from "$lib/constellation/values";

export interface Histogram {
  /** The first and the last day. */
  readonly first: number;
  readonly last: number;
  /** Days per bar; the last bar may have fewer. */
  readonly width: number;
  readonly bars: readonly number[];
  readonly highest: number;
}

/** Widths of bars that people count in: a day, two, a week, two, four, a quarter, a year. */
const WIDTHS = [1, 2, 7, 14, 28, 91, 364];

/** Count the points by their day of creation, up to today, in at most so many bars. */
export function histogramOf({ count, created }: Pick<StarMap, "count" | "created">, today: number, mostBars: number): Histogram {
  let first = today;
  let last = today;
  for (let index = 0; index < count; index += 1) {
    const day = created[index] ?? today;
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  const days = last - first + 1;
  const width = WIDTHS.find((one) => days / one <= mostBars) ?? Math.ceil(days / mostBars);
  const bars = Array.from({ length: Math.ceil(days / width) }, () => 0);
  for (let index = 0; index < count; index += 1) {
    const bar = Math.floor(((created[index] ?? today) - first) / width);
    bars[bar] = (bars[bar] ?? 0) + 1;
  }
  return { first, last, width, bars, highest: Math.max(1, ...bars) };
}
