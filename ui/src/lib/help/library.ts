/** The documentation as built: the list of pages, and loaders for their content. */

import list from "virtual:docs";

import type { Entry, Page, Section } from "./model";

export interface ListedPage extends Entry {
  readonly load: () => Promise<{ default: Page }>;
}

/** All pages in reading order. */
export const pages = list as readonly ListedPage[];

export const titles: ReadonlyMap<string, string> = new Map(pages.map((page) => [page.slug, page.title]));

/** Load the search index: the text of all pages. */
export async function loadSections(): Promise<readonly Section[]> {
  return (await import("virtual:docs/search")).default as readonly Section[];
}
