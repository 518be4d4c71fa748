/** A change of many memories: what it asks of each, and what takes it back. */

import { GLOBAL, PRIVATE, type Visibility } from "$lib/memory/filter-table";
import type { ListRow } from "$lib/memory/rows";

export type Change =
  | { readonly kind: "tags"; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: "project"; readonly project: string | null }
  | { readonly kind: "pinned"; readonly pinned: boolean }
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "visibility"; readonly visibility: Visibility };

/** The fields of a memory that a change of many may name. */
export interface Fields {
  readonly tags?: readonly string[];
  readonly project?: string | null;
  readonly pinned?: boolean;
  readonly type?: string;
  readonly visibility?: Visibility;
}

export interface Patch extends Fields {
  readonly id: string;
  readonly if_version: number | undefined;
}

/** A tag as the daemon keeps it. */
export function tagOf(text: string): string {
  return text.replace(/[\s,]+/gu, " ").trim().toLowerCase();
}

export function readTags(text: string): readonly string[] {
  return [...new Set(text.split(",").map(tagOf).filter((tag) => tag !== ""))];
}

function fieldsOf(change: Change, row: ListRow): Fields {
  switch (change.kind) {
    case "tags": {
      const stay = row.tags.filter((tag) => !change.remove.includes(tag));
      return { tags: [...new Set([...stay, ...change.add])] };
    }
    case "project":
      return { project: change.project };
    case "pinned":
      return { pinned: change.pinned };
    case "type":
      return { type: change.type };
    case "visibility":
      return { visibility: change.visibility };
  }
}

/** What the row has now of the fields that a change names. */
function previousFields(change: Change, row: ListRow): Fields {
  switch (change.kind) {
    case "tags":
      return { tags: row.tags };
    case "project":
      return { project: row.project };
    case "pinned":
      return { pinned: row.pinned };
    case "type":
      return { type: row.type };
    case "visibility":
      return { visibility: row.isPrivate ? PRIVATE : GLOBAL };
  }
}

/** The patch of one row; undefined where the row is so already. */
export function patchOf(change: Change, row: ListRow): Patch | undefined {
  const fields = fieldsOf(change, row);
  if (JSON.stringify(fields) === JSON.stringify(previousFields(change, row))) return undefined;
  return { id: row.id, if_version: row.version, ...fields };
}

/** The patch that gives a row back what it had, unless somebody changed it since. */
export function undoOf(change: Change, row: ListRow, version: number | undefined): Patch {
  return { id: row.id, if_version: version, ...previousFields(change, row) };
}

/** What was done, as a word that follows a number. */
export function changeVerb(change: Change): string {
  switch (change.kind) {
    case "tags":
      return "retagged";
    case "project":
      return "moved";
    case "pinned":
      return change.pinned ? "pinned" : "unpinned";
    case "type":
    case "visibility":
      return "changed";
  }
}

/** The tags of many rows, with how many have each, most first. */
export function tagCounts(rows: readonly ListRow[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const row of rows) for (const tag of row.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
}
