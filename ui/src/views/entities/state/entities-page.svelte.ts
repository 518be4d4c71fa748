/** The state of the Entities view: the filters and the place in the list, kept while an entity is open. */

import { entityPath } from "$lib/entity/entity-types";
import { router } from "$lib/state/router.svelte";

import { readEntityFilters, writeEntityFilters, type EntityFilters } from "./entity-filters";
import { EntityRows } from "./entity-rows.svelte";

const BASE = "/entities";

/** The entity of a path; undefined for the list. */
function idIn(path: string): string | undefined {
  const part = path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : "";
  return part === "" ? undefined : decodeURIComponent(part);
}

export class EntitiesPage {
  readonly items = new EntityRows();
  /** The id of the open entity; undefined while the list is shown. */
  readonly id = $derived(idIn(router.path));
  /** The filters of the list's URL, as text: equal filters are the same. */
  #query = $state(writeEntityFilters(readEntityFilters(router.query)).toString());
  readonly filters: EntityFilters = $derived(readEntityFilters(new URLSearchParams(this.#query)));
  /** The current row of the list. */
  active = $state<string>();
  /** The list is shown again after an entity was. */
  isReturning = false;
  #isFirst = true;

  /** Take over the filters of the URL, if it is the list's. */
  follow(): void {
    if (this.id === undefined) this.#query = writeEntityFilters(readEntityFilters(router.query)).toString();
  }

  load(filters: EntityFilters): void {
    const { items } = this;
    if (filters === items.loadedParams) return;
    // Opened before its search had ended, an entity is the current row still.
    if (!this.isReturning) this.active = undefined;
    const isTyped = !this.#isFirst && items.phase === "ready" && filters.q !== items.params?.q;
    this.#isFirst = false;
    // While one types, the former results stay until the next ones are there.
    if (isTyped) items.search(filters);
    else void items.reload(filters);
  }

  filter(change: Partial<EntityFilters>): void {
    const next = writeEntityFilters({ ...this.filters, ...change });
    router.go(BASE, next, change.q === undefined ? "push" : "replace");
  }

  open(id: string): void {
    this.active = id;
    router.go(entityPath(id));
  }

  /** Show the list again, as it was. */
  close(): void {
    router.go(BASE, new URLSearchParams(this.#query));
  }
}
