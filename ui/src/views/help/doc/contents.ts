/** The pages as the table of contents shows them, and what stands before and after each. */

import { plainText } from "./plain-text";
import type { Entry, Page } from "./model";

export interface Group {
  readonly name: string;
  readonly pages: readonly Entry[];
}

/** The pages by group, both in the order that they come in. */
export function groupsOf(pages: readonly Entry[]): readonly Group[] {
  const groups = new Map<string, Entry[]>();
  for (const page of pages) groups.set(page.group, [...(groups.get(page.group) ?? []), page]);
  return [...groups].map(([name, inside]) => ({ name, pages: inside }));
}

/** The page that many steps on; none beyond the ends. From outside the list, the first one. */
export function step(pages: readonly Entry[], slug: string, by: 1 | -1): Entry | undefined {
  const at = pages.findIndex((page) => page.slug === slug);
  return at < 0 ? (by === 1 ? pages[0] : undefined) : pages[at + by];
}

export interface Point {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** The second and third level of a page, for its outline. */
export function outlineOf(page: Page): readonly Point[] {
  return page.blocks.flatMap((block) =>
    block.is === "heading" && block.level <= 3 ? [{ id: block.id, text: plainText(block.of), level: block.level }] : [],
  );
}
