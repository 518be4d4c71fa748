/** Keyboard and mouse input of lists, and how much of a list is printed. */

import type { SelectionMode } from "./selection";

/** About forty printed pages; rendering more takes seconds. */
export const MAX_PRINTED_ROWS = 2_000;

/** The number of rows a key moves by; undefined for other keys. `page`: the number of visible rows. */
export function rowStep(key: string, page: number, count: number): number | undefined {
  const strides: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count };
  return strides[key];
}

/** How a click on a row changes the selection; undefined if it opens the row. */
export function selectionModeOf(event: MouseEvent): SelectionMode | undefined {
  if (event.shiftKey) return "range";
  const isMark = event.target instanceof Element && event.target.closest("[data-select]") !== null;
  return event.ctrlKey || event.metaKey || isMark ? "toggle" : undefined;
}

/** A note about rows missing from a print; `total` is undefined if not all rows are loaded. */
export function printNote(loaded: number, total: number | undefined): string {
  const printed = Math.min(loaded, MAX_PRINTED_ROWS);
  if (printed === total) return "";
  if (printed === loaded && total === undefined) return `Printed the ${printed.toLocaleString()} loaded rows. There are more.`;
  const all = total?.toLocaleString() ?? `more than ${loaded.toLocaleString()}`;
  return `Printed the first ${printed.toLocaleString()} of ${all} rows.`;
}
