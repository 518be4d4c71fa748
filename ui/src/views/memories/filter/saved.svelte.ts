/** Filters and searches that were given a name, kept in this browser. */

import type { FilterSet } from "$lib/memory/filters";

import { writeQuery } from "./address";

export interface SavedFilter {
  readonly name: string;
  /** As in an address, without the question mark. */
  readonly query: string;
}

const PLACE = "intaglio.filters";
const MOST = 50;
export const NAME_CHARS = 60;

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== "object" || value === null) return false;
  const { name, query } = value as Record<string, unknown>;
  return typeof name === "string" && name !== "" && typeof query === "string";
}

function read(): readonly SavedFilter[] {
  try {
    const values: unknown = JSON.parse(localStorage.getItem(PLACE) ?? "[]");
    return Array.isArray(values) ? values.filter(isSaved).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export class SavedFilters {
  all = $state.raw<readonly SavedFilter[]>(read());

  #keep(all: readonly SavedFilter[]): void {
    this.all = [...all].sort((one, other) => one.name.localeCompare(other.name)).slice(0, MOST);
    localStorage.setItem(PLACE, JSON.stringify(this.all));
  }

  /** Keep what is shown under a name; one of the same name gives way. */
  save(name: string, view: FilterSet & { readonly q: string }): void {
    const kept = name.trim().slice(0, NAME_CHARS);
    if (kept === "") return;
    const others = this.all.filter((one) => one.name !== kept);
    this.#keep([...others, { name: kept, query: writeQuery(view).toString() }]);
  }

  /** False where the name is empty or another one has it. */
  rename(from: string, to: string): boolean {
    const name = to.trim().slice(0, NAME_CHARS);
    if (name === from) return true;
    if (name === "" || this.all.some((one) => one.name === name)) return false;
    this.#keep(this.all.map((one) => (one.name === from ? { ...one, name } : one)));
    return true;
  }

  remove(name: string): void {
    this.#keep(this.all.filter((one) => one.name !== name));
  }

  /** The name of what is shown, where it has one. */
  nameOf(view: FilterSet & { readonly q: string }): string | undefined {
    const query = writeQuery(view).toString();
    return query === "" ? undefined : this.all.find((one) => one.query === query)?.name;
  }
}

export const saved = new SavedFilters();
