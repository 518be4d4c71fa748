/** A memory as the list shows it, whichever reply it came in; and how changes are merged in. */

import type { Filters, MemoryRow, RecallResult } from "$lib/api/client";

import { foundOf, type Found } from "$lib/memory/found";

export interface ListRow {
  readonly id: string;
  /** One line of it. */
  readonly line: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly project: string | null;
  readonly agent: string;
  readonly isPrivate: boolean;
  readonly createdAt: string;
  /** Why a search found it; undefined in a list that nobody searched. */
  readonly found: Found | undefined;
}

const LINE_CHARS = 320;

export function lineOf(content: string): string {
  const line = content.slice(0, LINE_CHARS * 2).replace(/\s+/gu, " ").trim();
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}…` : line;
}

export function tagsOf(tags: string | null): string[] {
  return (tags ?? "").split(",").map((tag) => tag.trim()).filter((tag) => tag !== "");
}

export function rowOf(memory: MemoryRow | RecallResult): ListRow {
  return {
    id: memory.id,
    line: lineOf(memory.content),
    type: memory.type,
    tags: tagsOf(memory.tags),
    pinned: Boolean(memory.pinned),
    project: memory.project,
    agent: memory.agent_id,
    isPrivate: memory.visibility === "private",
    createdAt: memory.created_at,
    found: "source" in memory ? foundOf(memory) : undefined,
  };
}

export function matches(row: ListRow, filters: Filters): boolean {
  return (
    (filters.type === undefined || row.type === filters.type) &&
    (filters.project === undefined || row.project === filters.project) &&
    (filters.pinned === undefined || row.pinned === filters.pinned) &&
    (filters.agent === undefined || row.agent === filters.agent) &&
    (filters.visibility === undefined || row.isPrivate === (filters.visibility === "private"))
  );
}

/** Newest first, as the daemon sorts. */
function isBefore(one: ListRow, other: ListRow): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt;
  return one.id > other.id;
}

/**
 * Put a row where it belongs. One that lies beyond what is loaded is left out while there is more
 * to load (`isWhole` false): it comes with its page.
 */
export function placed(rows: readonly ListRow[], row: ListRow, isWhole: boolean): readonly ListRow[] {
  const others = rows.filter((other) => other.id !== row.id);
  const index = others.findIndex((other) => isBefore(row, other));
  if (index >= 0) return others.toSpliced(index, 0, row);
  return isWhole || others.length < rows.length ? [...others, row] : others;
}

/** Add a page; a row that shifted from the page before stands once. */
export function appended(rows: readonly ListRow[], page: readonly ListRow[]): readonly ListRow[] {
  const known = new Set(rows.map((row) => row.id));
  return [...rows, ...page.filter((row) => !known.has(row.id))];
}
