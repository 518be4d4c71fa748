/** The selected memories of a map by id, and their rows, which are read when something is done with them. */

import { api } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import type { MapScope } from "$lib/api/projection";
import type { SelectionChange, StarMap } from "$lib/constellation/values";
import { rowOf, type ListRow } from "$lib/memory/rows";

import { selectedIndexes, selectionAfter } from "./selection";

const NOT_FOUND = 404;
/** More are read by pages of the whole scope. */
const MOST_SINGLE = 64;
const PARALLEL = 8;
const PAGE = 1_000;

async function readOne(id: string, signal: AbortSignal): Promise<ListRow | undefined> {
  try {
    return rowOf(await api.memory(id, signal));
  } catch (thrown) {
    if (asApiError(thrown).status !== NOT_FOUND) throw thrown;
    return undefined;
  }
}

async function readEach(ids: readonly string[], signal: AbortSignal): Promise<readonly ListRow[]> {
  const rows: ListRow[] = [];
  for (let at = 0; at < ids.length; at += PARALLEL) {
    const some = await Promise.all(ids.slice(at, at + PARALLEL).map((id) => readOne(id, signal)));
    rows.push(...some.filter((row) => row !== undefined));
  }
  return rows;
}

async function readByPages(ids: ReadonlySet<string>, scope: MapScope, signal: AbortSignal): Promise<readonly ListRow[]> {
  const rows: ListRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.memories({ ...scope, limit: PAGE, cursor }, signal);
    rows.push(...page.memories.filter(({ id }) => ids.has(id)).map(rowOf));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && rows.length < ids.size);
  return rows;
}

/** Read the rows of memories of a scope; those that are gone are left out. */
export function readRows(ids: ReadonlySet<string>, scope: MapScope, signal: AbortSignal): Promise<readonly ListRow[]> {
  return ids.size <= MOST_SINGLE ? readEach([...ids], signal) : readByPages(ids, scope, signal);
}

export class SelectedMemories {
  ids = $state.raw<ReadonlySet<string>>(new Set());

  /** The selected points of a map. */
  indexes(indexOf: (id: string) => number | undefined): ReadonlySet<number> {
    return selectedIndexes(this.ids, indexOf);
  }

  choose(map: StarMap, indexes: Iterable<number>, change: SelectionChange): void {
    this.ids = selectionAfter(this.ids, map, indexes, change);
  }

  clear(): void {
    this.ids = new Set();
  }

  /** Keep only these selected; returns how many are. */
  keep(ids: readonly string[]): number {
    this.ids = new Set(ids.filter((id) => this.ids.has(id)));
    return this.ids.size;
  }

  drop(ids: readonly string[]): void {
    const gone = new Set(ids);
    if (ids.some((id) => this.ids.has(id))) this.ids = new Set([...this.ids].filter((id) => !gone.has(id)));
  }
}
