/** The filters of the Inbox view as a URL: `/inbox?status=done&kind=suggestion&project=…`. */

import type { InboxRow } from "$lib/api/client";
import { oneOf, text, urlFilters } from "$lib/list/url-filters";

import { KINDS } from "../kinds/registry";

export type ItemKind = InboxRow["kind"];

export interface InboxFilters {
  readonly status: "open" | "done";
  readonly kind: ItemKind | undefined;
  readonly project: string | undefined;
}

export const INBOX_URL = urlFilters<InboxFilters>({
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
});
