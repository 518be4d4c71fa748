/** What a list view says of its list: its columns, its filters and its words. */

import type { Snippet } from "svelte";

import type { Shortcut } from "$lib/keys/registry.svelte";

import type { ListPage } from "./list-page.svelte";

export interface ListPaneProps<R extends { readonly id: string }, Filters extends object> {
  page: ListPage<R, Filters>;
  title: string;
  help: string | undefined;
  lead?: string;
  /** A search field for the filter `q`. */
  search?: { readonly label: string; readonly placeholder: string; readonly limit?: number };
  /** The filters. */
  filters: Snippet;
  /** How many rows match, in words. */
  count: string;
  /** What the rows are, in the plural: "sessions". */
  noun: string;
  /** The number of rows, if known otherwise than by loading all. */
  total?: number | undefined;
  row: Snippet<[R]>;
  /** Shown if nothing matches the filters. */
  noMatch: string;
  /** Shown if there is nothing at all. */
  empty: Snippet;
  /** The view's own shortcuts. */
  shortcuts?: readonly Shortcut[];
}
