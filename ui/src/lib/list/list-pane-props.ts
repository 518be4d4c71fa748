/** What a list view says of its list: its columns, its filters and its words. */

import type { Snippet } from "svelte";

import type { GroupHeading } from "$lib/components/list/lines";
import type { Shortcut } from "$lib/keys/registry.svelte";

import type { ListPage } from "./list-page.svelte";

export interface ListPaneProps<R extends { readonly id: string }, Filters extends object> {
  page: ListPage<R, Filters>;
  title: string;
  help: string | undefined;
  lead?: string;
  /** A search field for the filter `q`; with `exitsByEscape`, Esc in the empty field moves to the rows. */
  search?: { readonly label: string; readonly placeholder: string; readonly limit?: number; readonly exitsByEscape?: boolean };
  /** Buttons of the header. */
  actions?: Snippet;
  /** False if the view has its <h1> elsewhere. */
  isHeading?: boolean;
  /** The filters. */
  filters?: Snippet;
  /** Shown instead of the filters: what is done with the selected rows, for example. */
  bar?: Snippet | undefined;
  /** How many rows match, in words. */
  count?: string;
  /** What the rows are, in the plural: "sessions". */
  noun: string;
  /** The number of rows, if known otherwise than by loading all. */
  total?: number | undefined;
  /** The headings of a grouped list. */
  headings?: readonly GroupHeading[];
  /** Collapse or expand a group, or select all of it. */
  oncollapse?: (heading: GroupHeading) => void;
  onselectgroup?: (heading: GroupHeading) => void;
  row: Snippet<[R, { readonly isSelected: boolean }]>;
  /** In pixels; without this, as high as the rows of most lists. */
  rowHeight?: number;
  /** Several rows can be selected. */
  selects?: boolean;
  /** Below the rows. */
  after?: Snippet;
  /** Shown if nothing matches the filters; without this, `empty` is. */
  noMatch?: string;
  /** Shown if there is nothing at all. */
  empty: Snippet;
  /** The details of the open row, beside the list. */
  pane?: Snippet | undefined;
  /** The usual width of the list in percent, and the least of both in pixels; `isFull`: the details reach up beside the header. */
  split?: { readonly usual: number; readonly minFirst: number; readonly minSecond: number; readonly isFull?: boolean };
  /** The list was scrolled: whether it is at its top. */
  onscrolled?: (isAtTop: boolean) => void;
  /** The view's own shortcuts. */
  shortcuts?: readonly Shortcut[];
}
