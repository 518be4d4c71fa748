/** What the page shows, in words. */

import { plural } from "$lib/plural";

import type { ConstellationPage } from "./constellation-page.svelte";
import { shownIndexes } from "./point-styles";

const memories = (count: number): string => plural(count, "memory", "memories");

/** How many memories match, or are shown. */
export function summaryOf(page: ConstellationPage): string {
  if (page.data.map === undefined) return "";
  const found = page.view.q.trim() === "" ? undefined : page.lights.search.ids;
  if (found !== undefined) {
    const matches = page.selection.countShown(found);
    return page.matchAt < 0
      ? plural(matches, "match", "matches")
      : `Match ${(page.matchAt + 1).toLocaleString()} of ${matches.toLocaleString()}`;
  }
  return memories(shownIndexes(page.styling.emphasis, () => true).length);
}

/** What screen readers are told of a change. */
export function announcementOf(page: ConstellationPage): string {
  if (page.selectedCount > 0) return `${memories(page.selectedCount)} selected`;
  return page.view.q.trim() === "" ? "" : summaryOf(page);
}
