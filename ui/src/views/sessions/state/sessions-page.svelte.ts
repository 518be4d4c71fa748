/** The state of the Sessions view: the filters and the place in the list, kept while a session is open. */

import { router } from "$lib/state/router.svelte";

import { readFilters, writeFilters, type SessionFilters } from "./session-filters";
import { SessionRows } from "./session-rows.svelte";

const BASE = "/sessions";

/** The session of a path; undefined for the list. */
function idIn(path: string): string | undefined {
  const part = path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : "";
  return part === "" ? undefined : part;
}

export class SessionsPage {
  readonly items = new SessionRows();
  /** The id of the open session; undefined while the list is shown. */
  readonly id = $derived(idIn(router.path));
  /** The filters of the list's URL, as text: equal filters are the same. */
  #query = $state(writeFilters(readFilters(router.query)).toString());
  readonly filters: SessionFilters = $derived(readFilters(new URLSearchParams(this.#query)));
  /** The current row of the list. */
  active = $state<string>();
  /** The list is shown again after a session was. */
  isReturning = false;

  /** Take over the filters of the URL, if it is the list's. */
  follow(): void {
    if (this.id === undefined) this.#query = writeFilters(readFilters(router.query)).toString();
  }

  load(filters: SessionFilters): void {
    if (filters === this.items.loadedParams) return;
    this.active = undefined;
    void this.items.reload(filters);
  }

  filter(change: Partial<SessionFilters>): void {
    router.go(BASE, writeFilters({ ...this.filters, ...change }));
  }

  open(id: string): void {
    this.active = id;
    router.go(`${BASE}/${encodeURIComponent(id)}`);
  }

  /** Show the list again, as it was. */
  close(): void {
    router.go(BASE, new URLSearchParams(this.#query));
  }
}
