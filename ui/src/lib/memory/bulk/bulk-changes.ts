/** A change of several memories: the patch of each, and its undo. */

import { GLOBAL, PRIVATE, type Visibility } from "$lib/memory/filter-table";
import type { ListRow } from "$lib/memory/rows";

export type Change =
  | { readonly kind: "tags"; readonly add: readonly string[]; readonly remove: readonly string[] }
  | { readonly kind: "project"; readonly project: string | null }
  | { readonly kind: "pinned"; readonly pinned: boolean }
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "visibility"; readonly visibility: Visibility };

/** The fields that can be changed for several memories. */
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

/** A tag as the daemon normalizes it. */
export function tagOf(text: string): string {
  return text
    .replace(/[\s,]+/gu, " ")
    .trim()
    .toLowerCase();
}

export function readTags(text: string): readonly string[] {
  return [
    ...new Set(
      text
        .split(",")
        .map(tagOf)
        .filter((tag) => tag !== ""),
    ),
  ];
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

/** The current values of the fields that a change sets. */
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

/** The patch of one row; undefined if nothing changes. */
export function patchOf(change: Change, row: ListRow): Patch | undefined {
  const fields = fieldsOf(change, row);
  if (JSON.stringify(fields) === JSON.stringify(previousFields(change, row))) return undefined;
  return { id: row.id, if_version: row.version, ...fields };
}

/** The patch that undoes a change, unless the row changed again since. */
export function undoOf(change: Change, row: ListRow, version: number | undefined): Patch {
  return { id: row.id, if_version: version, ...previousFields(change, row) };
}

/** The change as a past participle that follows a count. */
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

/** The tags of the rows with their counts, most frequent first. */
export function tagCounts(rows: readonly ListRow[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const row of rows) for (const tag of row.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
}
