/** What the page shows, in words. */

import { plural } from "$lib/plural";

import type { ConstellationPage } from "./constellation-page.svelte";
import { countReplacedHidden, shownIndexes } from "./point-styles";

const memories = (count: number): string => plural(count, "memory", "memories");

/** How many memories match, or are shown, and how many aren't as they were replaced. */
export function summaryOf(page: ConstellationPage): string {
  const { map } = page.data;
  if (map === undefined) return "";
  const found = page.view.q.trim() === "" ? undefined : page.lights.search.ids;
  if (found !== undefined) {
    const matches = page.selection.countShown(found);
    return page.matchAt < 0
      ? plural(matches, "match", "matches")
      : `Match ${(page.matchAt + 1).toLocaleString()} of ${matches.toLocaleString()}`;
  }
  const { emphasis } = page.styling;
  const shown = memories(shownIndexes(emphasis, () => true).length);
  const replaced = countReplacedHidden(map.flags, emphasis);
  return replaced === 0 ? shown : `${shown}, ${replaced.toLocaleString()} replaced not drawn`;
}

/** What screen readers are told of a change. */
export function announcementOf(page: ConstellationPage): string {
  if (page.selectedCount > 0) return `${memories(page.selectedCount)} selected`;
  return page.view.q.trim() === "" ? "" : summaryOf(page);
}
