/** What keys and presses do in a list, and how much of it stands on paper. */

import type { SelectionMode } from "./selection";

/** Some forty pages of paper; drawing more takes seconds, and nobody reads it. */
export const MAX_PRINTED_ROWS = 2_000;

/** How many rows a key moves by; undefined when it does not. `page`: the rows in sight. */
export function rowStep(key: string, page: number, count: number): number | undefined {
  const strides: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count };
  return strides[key];
}

/** How a press on a row selects it; undefined where it opens it. */
export function selectionModeOf(event: MouseEvent): SelectionMode | undefined {
  if (event.shiftKey) return "range";
  const isMark = event.target instanceof Element && event.target.closest("[data-select]") !== null;
  return event.ctrlKey || event.metaKey || isMark ? "toggle" : undefined;
}

/** What a print says of what it lacks; `total` is undefined where more are known of than are loaded. */
export function printNote(loaded: number, total: number | undefined): string {
  const printed = Math.min(loaded, MAX_PRINTED_ROWS);
  if (printed === total) return "";
  const all = total ?? (printed < loaded ? `more than ${loaded.toLocaleString()}` : "more");
  const which = printed < loaded ? `the first ${printed.toLocaleString()} lines` : `the ${printed.toLocaleString()} lines that were loaded,`;
  return `Printed are ${which} of ${all.toLocaleString()}.`;
}
