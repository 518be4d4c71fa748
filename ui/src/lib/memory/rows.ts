/** Rows of the memory list, and how to merge changes into it. */

import type { MemoryList, MemoryRow, RecallResult } from "$lib/api/client";

import { PRIVATE, type Status } from "./filter-table";
import { matchOf, type SearchMatch } from "./search-match";

export interface ListRow {
  readonly id: string;
  /** The first line of the text. */
  readonly line: string;
  readonly type: string;
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly isAlwaysTold: boolean;
  readonly project: string | null;
  readonly agent: string;
  readonly isPrivate: boolean;
  readonly importance: number;
  readonly status: Status;
  readonly who: string;
  readonly createdAt: string;
  /** Missing from search results: when it was last changed, and how often it was recalled. */
  readonly updatedAt?: string | undefined;
  readonly recalls?: number | undefined;
  /** The value by which a grouped list groups it; empty for no project. */
  readonly group?: string | undefined;
  /** Missing from search results: version, source type, session. */
  readonly version: number | undefined;
  readonly source: string | undefined;
  readonly session: string | null | undefined;
  /** Why the search found it; undefined without a search. */
  readonly match: SearchMatch | undefined;
}

const LINE_CHARS = 320;

/** The text as one truncated line, without keeping the full text in memory. */
export function lineOf(content: string): string {
  if (content.length <= LINE_CHARS) return content.replace(/\s+/gu, " ").trim();
  const line = content
    .slice(0, LINE_CHARS * 2)
    .replace(/\s+/gu, " ")
    .trim();
  // A sliced string keeps the original alive; a joined one doesn't.
  return line.length > LINE_CHARS ? Array.from(line).slice(0, LINE_CHARS).join("") + "…" : Array.from(line).join("");
}

const NO_TAGS: readonly string[] = [];

export function tagsOf(tags: string | null): readonly string[] {
  if (tags === null || tags === "") return NO_TAGS;
  return tags
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

export function rowOf(memory: MemoryRow | RecallResult): ListRow {
  const isRow = "version" in memory;
  return {
    id: memory.id,
    line: lineOf(memory.content),
    type: memory.type,
    tags: tagsOf(memory.tags),
    pinned: Boolean(memory.pinned),
    isAlwaysTold: (memory.basis ?? null) !== null,
    project: memory.project,
    agent: memory.agent_id,
    isPrivate: memory.visibility === PRIVATE,
    importance: memory.importance,
    status: memory.status ?? "current",
    who: memory.who,
    createdAt: memory.created_at,
    updatedAt: isRow ? memory.updated_at : undefined,
    recalls: isRow ? memory.access_count : undefined,
    version: isRow ? memory.version : undefined,
    source: isRow ? memory.source_type : undefined,
    session: isRow ? memory.session_id : undefined,
    match: "source" in memory ? matchOf(memory) : undefined,
  };
}

/** Newest first, like the daemon's order. */
function isBefore(one: ListRow, other: ListRow): boolean {
  if (one.createdAt !== other.createdAt) return one.createdAt > other.createdAt;
  return one.id > other.id;
}

/**
 * Insert a row in order. A row past the loaded ones is left out unless `isComplete`: it comes with
 * its page.
 */
export function withRow(rows: readonly ListRow[], row: ListRow, isComplete: boolean): readonly ListRow[] {
  const others = rows.filter((other) => other.id !== row.id);
  const index = others.findIndex((other) => isBefore(row, other));
  if (index >= 0) return others.toSpliced(index, 0, row);
  return isComplete || others.length < rows.length ? [...others, row] : others;
}

/**
 * Append a page, without rows that shifted from the previous one. `anywhere`: a changed row may have
 * moved from any page.
 */
export function withPage(rows: readonly ListRow[], page: readonly ListRow[], anywhere = false): readonly ListRow[] {
  // Shifted rows are near the end of the previous page.
  const known = new Set((anywhere ? rows : rows.slice(-2 * page.length - 100)).map((row) => row.id));
  return rows.concat(page.filter((row) => !known.has(row.id)));
}

/** The rows of a page, each with its group if the list is grouped. */
export function pageRows({ memories, groups }: MemoryList): readonly ListRow[] {
  const rows = memories.map(rowOf);
  if (groups === undefined || groups === null) return rows;
  const values = groups.flatMap(({ value, rows: count }) => Array.from({ length: count }, () => value ?? ""));
  return rows.map((row, index) => ({ ...row, group: values[index] }));
}
