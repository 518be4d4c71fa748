/** The filters of the Inbox view as a URL: `/inbox?q=…&status=done&kind=suggestion&project=…&import=…&session=…`. */

import type { InboxRow } from "$lib/api/client";
import { oneOf, text, urlFilters, words } from "$lib/list/url-filters";

import { wordsOf } from "$lib/memory/highlight";
import { fold } from "$lib/memory/stem";

import { KINDS } from "../kinds/registry";

export type ItemKind = InboxRow["kind"];

export interface InboxFilters {
  /** Words in an item, its memories and the names of its entities. */
  readonly q: string;
  readonly status: "open" | "done";
  readonly kind: ItemKind | undefined;
  readonly project: string | undefined;
  /** Only what was said in the sessions of this import. */
  readonly import: string | undefined;
  /** Only what was said in this session. */
  readonly session: string | undefined;
}

export const INBOX_URL = urlFilters<InboxFilters>({
  q: words,
  status: {
    none: "open",
    stays: true,
    read: (query, name) => (query.get(name) === "done" ? "done" : "open"),
    write: (query, name, value) => {
      if (value !== "open") query.set(name, value);
    },
  },
  kind: oneOf(KINDS.map(({ kind }) => kind)),
  project: text,
  import: text,
  session: text,
});

/** Whether an item has a word that starts with each one of a search. */
export function hasWords({ content, memories, entities }: InboxRow, q: string): boolean {
  const texts = [content, ...memories.map((memory) => memory.content), ...entities.map(({ name }) => name)];
  const given = texts.flatMap(wordsOf).map(fold);
  return wordsOf(q)
    .map(fold)
    .every((start) => given.some((word) => word.startsWith(start)));
}
