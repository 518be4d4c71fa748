/** The arithmetic of choosing several rows: by one, by a range from an anchor, all. */

import type { ListRow } from "$lib/memory/rows";

export type Picked = ReadonlyMap<string, ListRow>;

export const NONE: Picked = new Map();

export function toggled(picked: Picked, row: ListRow): Picked {
  const next = new Map(picked);
  if (!next.delete(row.id)) next.set(row.id, row);
  return next;
}

/**
 * What was chosen before, with the rows from the anchor to the row in either direction. Where the
 * anchor is gone from the list, the row alone.
 */
export function ranged(before: Picked, rows: readonly ListRow[], anchor: string, to: string): Picked {
  const end = rows.findIndex((row) => row.id === to);
  if (end < 0) return before;
  const found = rows.findIndex((row) => row.id === anchor);
  const start = found < 0 ? end : found;
  const next = new Map(before);
  for (const row of rows.slice(Math.min(start, end), Math.max(start, end) + 1)) next.set(row.id, row);
  return next;
}

export function without(picked: Picked, ids: readonly string[]): Picked {
  if (!ids.some((id) => picked.has(id))) return picked;
  const next = new Map(picked);
  for (const id of ids) next.delete(id);
  return next;
}

export function only(picked: Picked, ids: ReadonlySet<string>): Picked {
  return new Map([...picked].filter(([id]) => ids.has(id)));
}

/** The chosen rows, each as the list has it now; one that is not loaded as it was when chosen. */
export function current(picked: Picked, rows: readonly ListRow[]): readonly ListRow[] {
  if (picked.size === 0) return [];
  const next = new Map(picked);
  for (const row of rows) if (next.has(row.id)) next.set(row.id, row);
  return [...next.values()];
}
