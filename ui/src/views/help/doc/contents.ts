/** The table of contents, a page's outline, and the previous and next page. */

import { plainText } from "$lib/help/plain-text";
import type { Entry, Page } from "$lib/help/model";

export interface Group {
  readonly name: string;
  readonly pages: readonly Entry[];
}

/** Group the pages, keeping their order. */
export function groupsOf(pages: readonly Entry[]): readonly Group[] {
  const groups = new Map<string, Entry[]>();
  for (const page of pages) groups.set(page.group, [...(groups.get(page.group) ?? []), page]);
  return [...groups].map(([name, inside]) => ({ name, pages: inside }));
}

/** The next or previous page; undefined past the ends. From an unlisted page, the next one is the first. */
export function step(pages: readonly Entry[], slug: string, by: 1 | -1): Entry | undefined {
  const at = pages.findIndex((page) => page.slug === slug);
  return at < 0 ? (by === 1 ? pages[0] : undefined) : pages[at + by];
}

export interface Point {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** The headings of levels 2 and 3. */
export function outlineOf(page: Page): readonly Point[] {
  return page.blocks.flatMap((block) =>
    block.is === "heading" && block.level <= 3 ? [{ id: block.id, text: plainText(block.of), level: block.level }] : [],
  );
}
