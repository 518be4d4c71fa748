/** Types of the Memories view: handles of its components, and its dialogs. */

import type { BulkDialog } from "$lib/memory/bulk/bulk-actions";

/** What the page needs from the detail pane. */
export interface DetailHandle {
  focus: () => void;
  hasFocus: () => boolean;
}

export type OpenDialog = { readonly kind: "remember" } | { readonly kind: "save" } | { readonly kind: "manage" } | BulkDialog;
