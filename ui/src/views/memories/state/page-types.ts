/** Types of the Memories view: handles of its components, and its dialogs. */

import type { ListRow } from "$lib/memory/rows";

/** What the page needs from the detail pane. */
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
