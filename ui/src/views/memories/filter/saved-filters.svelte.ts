/** Named filters and searches, stored in this browser. */

import type { FilterSet } from "$lib/memory/filters";
import { readLocal, writeLocal } from "$lib/state/local-storage";
import { ChangedSinceError, offerUndo, type Undoable } from "$lib/state/undo";

import { writeFilters } from "$lib/memory/filter-query";

export interface SavedFilter {
  readonly name: string;
  /** A URL query without the question mark. */
  readonly query: string;
}

const STORAGE_KEY = "intaglio.filters";
export const MAX_SAVED_FILTERS = 50;
export const MAX_NAME_LENGTH = 60;

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== "object" || value === null) return false;
  const { name, query } = value as Record<string, unknown>;
  return typeof name === "string" && name !== "" && typeof query === "string";
}

/** The query with its parameters in a fixed order, for comparison. */
function sorted(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}

function listOf(text: string): readonly SavedFilter[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values.filter(isSaved).slice(0, MAX_SAVED_FILTERS) : [];
  } catch {
    return [];
  }
}

function queryOf(filters: readonly SavedFilter[], name: string): string | undefined {
  return filters.find((one) => one.name === name)?.query;
}

export class SavedFilters {
  all = $state.raw<readonly SavedFilter[]>(listOf(readLocal(STORAGE_KEY) ?? ""));
  /** False if browser storage is off: filters are lost when the page is closed. */
  isPersistent = true;

  /** Another tab may have changed them. */
  handleStorage(key: string | null): void {
    if (key === STORAGE_KEY || key === null) this.#reload();
  }

  #reload(): void {
    const text = readLocal(STORAGE_KEY);
    if (text !== undefined && this.isPersistent) this.all = listOf(text);
  }

  #persist(all: readonly SavedFilter[]): void {
    this.all = [...all].sort((one, other) => one.name.localeCompare(other.name));
    this.isPersistent = writeLocal(STORAGE_KEY, JSON.stringify(this.all));
  }

  /** Save the current filters, replacing any of the same name. False if the limit is reached or the name is empty. */
  save(name: string, view: FilterSet & { readonly q: string }): boolean {
    const trimmed = name.trim().slice(0, MAX_NAME_LENGTH);
    this.#reload();
    const others = this.all.filter((one) => one.name !== trimmed);
    if (trimmed === "" || others.length >= MAX_SAVED_FILTERS) return false;
    this.#persist([...others, { name: trimmed, query: writeFilters(view).toString() }]);
    return true;
  }

  /** False if the name is empty or taken. */
  rename(from: string, to: string): boolean {
    const name = to.trim().slice(0, MAX_NAME_LENGTH);
    if (name === from) return true;
    this.#reload();
    if (name === "" || this.all.some((one) => one.name === name)) return false;
    this.#persist(this.all.map((one) => (one.name === from ? { ...one, name } : one)));
    return true;
  }

  remove(name: string): void {
    this.#reload();
    this.#persist(this.all.filter((one) => one.name !== name));
  }

  /**
   * Make a change and offer to undo it. That gives back the filters of the names that changed, unless one
   * of them was changed again since. False, and nothing to undo, where the change is refused.
   */
  undoably(change: () => boolean, words: () => Omit<Undoable, "undo">): boolean {
    this.#reload();
    const former = this.all;
    if (!change()) return false;
    const made = this.all;
    const names = [...former, ...made].map((one) => one.name).filter((name) => queryOf(former, name) !== queryOf(made, name));
    const undo = (): Promise<void> => {
      this.#reload();
      const others = this.all.filter((one) => !names.includes(one.name));
      const back = [...others, ...former.filter((one) => names.includes(one.name))];
      const isSame = names.every((name) => queryOf(this.all, name) === queryOf(made, name));
      if (!isSame || back.length > MAX_SAVED_FILTERS) return Promise.reject(new ChangedSinceError());
      this.#persist(back);
      return Promise.resolve();
    };
    if (names.length > 0) offerUndo({ ...words(), undo });
    return true;
  }

  /** The name of the saved filter that matches the view, if any. */
  nameOf(view: FilterSet & { readonly q: string }): string | undefined {
    const query = sorted(writeFilters(view).toString());
    return query === "" ? undefined : this.all.find((one) => sorted(one.query) === query)?.name;
  }
}

export const savedFilters = new SavedFilters();
addEventListener("storage", ({ key }) => {
  savedFilters.handleStorage(key);
});
