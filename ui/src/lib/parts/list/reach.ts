/** How far a key moves in a list, and how much of a list stands on paper. */

/** Some forty pages of paper; drawing more takes seconds, and nobody reads it. */
export const MOST_PRINTED = 2_000;

/** How many rows a key moves by; undefined when it does not. `page`: the rows in sight. */
export function stride(key: string, page: number, count: number): number | undefined {
  const strides: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count };
  return strides[key];
}

/** What a print says of what it lacks; `total` is undefined where more are known of than are loaded. */
export function notPrinted(loaded: number, total: number | undefined): string {
  const printed = Math.min(loaded, MOST_PRINTED);
  if (printed === total) return "";
  const all = total ?? (printed < loaded ? `more than ${loaded.toLocaleString()}` : "more");
  const which = printed < loaded ? `the first ${printed.toLocaleString()} lines` : `the ${printed.toLocaleString()} lines that were loaded,`;
  return `Printed are ${which} of ${all.toLocaleString()}.`;
}
