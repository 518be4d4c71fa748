/** The selected memories of a map by id, and their rows, which are read when something is done with them. */

import { api } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import type { MapScope } from "$lib/api/projection";
import { HIDDEN, type SelectionChange, type StarMap } from "$lib/constellation/values";
import { rowOf, type ListRow } from "$lib/memory/rows";

import type { Grouping } from "./grouping";
import { shownIndexes } from "./point-styles";
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

/** The map that is selected from. */
interface Shown {
  readonly map: StarMap | undefined;
  readonly indexOf: (id: string) => number | undefined;
  readonly emphasis: Uint8Array;
  readonly grouping: Grouping | undefined;
}

export class SelectedMemories {
  readonly #shown: () => Shown;
  ids = $state.raw<ReadonlySet<string>>(new Set());
  readonly points = $derived.by(() => selectedIndexes(this.ids, this.#shown().indexOf));

  constructor(shown: () => Shown) {
    this.#shown = shown;
  }

  choose(indexes: Iterable<number>, change: SelectionChange): void {
    const { map } = this.#shown();
    if (map !== undefined) this.ids = selectionAfter(this.ids, map, indexes, change);
  }

  /** Select the points that are shown and fulfil a condition. */
  chooseShown(isWanted: (index: number) => boolean = () => true): void {
    this.choose(shownIndexes(this.#shown().emphasis, isWanted), "replace");
  }

  /** Select the points of a group of the legend that are shown. */
  chooseGroup(value: string): void {
    const { grouping } = this.#shown();
    const at = grouping?.all.findIndex((group) => group.value === value);
    this.chooseShown((index) => grouping?.of[index] === at);
  }

  /** Select these memories as far as they are shown. */
  chooseIds(ids: readonly string[]): void {
    const wanted = selectedIndexes(new Set(ids), this.#shown().indexOf);
    this.chooseShown((index) => wanted.has(index));
  }

  /** How many of these memories the map shows. */
  countShown(ids: readonly string[] | undefined): number {
    const { emphasis, indexOf } = this.#shown();
    return (ids ?? []).filter((id) => (emphasis[indexOf(id) ?? -1] ?? HIDDEN) !== HIDDEN).length;
  }

  /** The selected points, or those that are shown if none are selected. */
  get orShown(): Iterable<number> & { readonly length: number } {
    return this.points.size > 0 ? [...this.points] : shownIndexes(this.#shown().emphasis, () => true);
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
