/** The actions on several memories, and the dialogs that ask about them. */

import type { ListRow } from "$lib/memory/rows";

export type BulkAction = "tags" | "project" | "pin" | "unpin" | "type" | "visibility" | "forget";

export type BulkDialog =
  | { readonly kind: "forget"; readonly rows: readonly ListRow[] }
  | { readonly kind: "change"; readonly what: "tags" | "project" | "type" | "visibility"; readonly rows: readonly ListRow[] };
