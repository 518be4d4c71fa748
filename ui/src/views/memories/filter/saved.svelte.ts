/** Filters and searches that were given a name, kept in this browser. */

import type { FilterSet } from "$lib/memory/filters";
import { readStored, store } from "$lib/state/stored";

import { writeQuery } from "./address";

export interface SavedFilter {
  readonly name: string;
  /** As in an address, without the question mark. */
  readonly query: string;
}

const PLACE = "intaglio.filters";
export const MOST_SAVED = 50;
export const NAME_CHARS = 60;

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== "object" || value === null) return false;
  const { name, query } = value as Record<string, unknown>;
  return typeof name === "string" && name !== "" && typeof query === "string";
}

/** The same for the same filters, in whichever order an address names them. */
function sorted(query: string): string {
  const params = new URLSearchParams(query);
  params.sort();
  return params.toString();
}

function listOf(text: string): readonly SavedFilter[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values.filter(isSaved).slice(0, MOST_SAVED) : [];
  } catch {
    return [];
  }
}

export class SavedFilters {
  all = $state.raw<readonly SavedFilter[]>(listOf(readStored(PLACE) ?? ""));
  /** False where the browser keeps nothing: they are there until the page is closed. */
  isKept = true;

  /** Another page of this browser may have changed them. */
  hear(key: string | null): void {
    if (key === PLACE || key === null) this.#readAnew();
  }

  #readAnew(): void {
    const text = readStored(PLACE);
    if (text !== undefined && this.isKept) this.all = listOf(text);
  }

  #keep(all: readonly SavedFilter[]): void {
    this.all = [...all].sort((one, other) => one.name.localeCompare(other.name));
    this.isKept = store(PLACE, JSON.stringify(this.all));
  }

  /** Keep what is shown under a name; one of the same name gives way. False where there are too many, or no name. */
  save(name: string, view: FilterSet & { readonly q: string }): boolean {
    const kept = name.trim().slice(0, NAME_CHARS);
    this.#readAnew();
    const others = this.all.filter((one) => one.name !== kept);
    if (kept === "" || others.length >= MOST_SAVED) return false;
    this.#keep([...others, { name: kept, query: writeQuery(view).toString() }]);
    return true;
  }

  /** False where the name is empty or another one has it. */
  rename(from: string, to: string): boolean {
    const name = to.trim().slice(0, NAME_CHARS);
    if (name === from) return true;
    this.#readAnew();
    if (name === "" || this.all.some((one) => one.name === name)) return false;
    this.#keep(this.all.map((one) => (one.name === from ? { ...one, name } : one)));
    return true;
  }

  remove(name: string): void {
    this.#readAnew();
    this.#keep(this.all.filter((one) => one.name !== name));
  }

  /** The name of what is shown, where it has one. */
  nameOf(view: FilterSet & { readonly q: string }): string | undefined {
    const query = sorted(writeQuery(view).toString());
    return query === "" ? undefined : this.all.find((one) => sorted(one.query) === query)?.name;
  }
}

export const saved = new SavedFilters();
addEventListener("storage", ({ key }) => { saved.hear(key); });
