/** The selected memories of a map, kept by id while the map's order of points changes. */

import { idAt } from "$lib/constellation/ids";
import type { SelectionChange, StarMap } from "$lib/constellation/values";

/** The selection after points were chosen. */
export function selectionAfter(
  selected: ReadonlySet<string>,
  map: Pick<StarMap, "ids" | "count">,
  indexes: Iterable<number>,
  change: SelectionChange,
): ReadonlySet<string> {
  const chosen = Array.from(indexes, (index) => idAt(map, index));
  if (change === "replace") return new Set(chosen);
  const next = new Set(selected);
  for (const id of chosen) {
    if (change === "add") next.add(id);
    else next.delete(id);
  }
  return next;
}

/** The selected points; those that left the map aren't among them. */
export function selectedIndexes(selected: ReadonlySet<string>, indexOf: (id: string) => number | undefined): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const id of selected) {
    const index = indexOf(id);
    if (index !== undefined) indexes.add(index);
  }
  return indexes;
}
