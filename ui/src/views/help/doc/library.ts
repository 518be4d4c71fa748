/** The documentation as the build has made it: the list of pages at once, the rest when it is wanted. */

import list from "virtual:docs";

import type { Entry, Page, Section } from "./model";

export interface ListedPage extends Entry {
  readonly load: () => Promise<{ default: Page }>;
}

/** All pages, in the order in which they are read. */
export const pages = list as readonly ListedPage[];

export const titles: ReadonlyMap<string, string> = new Map(pages.map((page) => [page.slug, page.title]));

/** What search reads, as long as all pages together. */
export async function loadSections(): Promise<readonly Section[]> {
  return (await import("virtual:docs/search")).default as readonly Section[];
}
