/** What the page of memories needs of its parts, and what it may ask in a dialog. */

import type { ListRow } from "$lib/memory/rows";

/** What the page needs of the list that is shown. */
export interface ListHandle {
  focusRow: (index: number) => void;
  show: (id: string) => void;
  hasFocus: () => boolean;
  page: () => number;
  move: (by: number) => void;
  toTop: () => void;
}

/** What it needs of the pane of the open one. */
export interface DetailHandle {
  focus: () => void;
  hasFocus: () => boolean;
}

export type OpenDialog =
  | { readonly kind: "remember" }
  | { readonly kind: "save" }
  | { readonly kind: "manage" }
  | { readonly kind: "forget"; readonly rows: readonly ListRow[] }
  | { readonly kind: "change"; readonly what: "tags" | "project" | "type" | "visibility"; readonly rows: readonly ListRow[] };
