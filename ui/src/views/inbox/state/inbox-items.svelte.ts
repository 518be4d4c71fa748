/** The items of the inbox: loaded by page, and kept current by change events. */

import { api, type InboxRow } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

import type { InboxFilters } from "./inbox-filters";

const PAGE = 100;
const NEXT_PAGE = 200;
/** The daemon's page limit. */
const MAX_PAGE = 1_000;
const GATHER_MS = 100;
const NO_FILTERS: InboxFilters = { status: "open", kind: undefined, project: undefined };
const NO_ROWS: readonly InboxRow[] = [];

interface InboxReading {
  readonly rows: readonly InboxRow[];
  /** The cursor of the next page; null at the end. */
  readonly cursor: string | null;
}

export class InboxItems extends Resource<InboxReading, InboxFilters> {
  protected override readonly resyncMs = GATHER_MS;
  /** The number of rows down to the last visible one; later rows needn't be reloaded. */
  visibleRows = 0;
  /** Why the next page couldn't be loaded. */
  moreError = $state.raw<ApiError>();
  #isLoadingMore = false;
  /**
   * Items that this page decided on, and whether the daemon has confirmed it: a read that started
   * before may still contain them.
   */
  readonly #decided = new Map<string, boolean>();

  get rows(): readonly InboxRow[] {
    return this.value?.rows ?? NO_ROWS;
  }

  get isComplete(): boolean {
    return this.#cursor === null;
  }

  get #cursor(): string | null {
    return this.value?.cursor ?? null;
  }

  override async load(filters = this.params ?? NO_FILTERS): Promise<Outcome> {
    this.#isLoadingMore = false;
    this.moreError = undefined;
    return super.load(filters);
  }

  protected async read(signal: AbortSignal, filters: InboxFilters): Promise<InboxReading> {
    const confirmed = [...this.#decided].filter(([, isConfirmed]) => isConfirmed).map(([id]) => id);
    const isSame = filters === this.loadedParams;
    const wanted = isSame ? Math.max(PAGE, Math.min(this.rows.length, this.visibleRows + PAGE)) : PAGE;
    let rows: readonly InboxRow[] = [];
    let cursor: string | null = null;
    do {
      const limit = Math.min(MAX_PAGE, wanted - rows.length);
      const page = await api.inbox({ ...filters, limit, cursor: cursor ?? undefined }, signal);
      signal.throwIfAborted();
      rows = withPage(rows, page.items);
      ({ cursor } = page);
    } while (cursor !== null && rows.length < wanted);
    for (const id of confirmed) this.#decided.delete(id);
    return { rows: this.#without(rows), cursor };
  }

  #without(rows: readonly InboxRow[]): readonly InboxRow[] {
    return this.#decided.size === 0 ? rows : rows.filter(({ id }) => !this.#decided.has(id));
  }

  /** Load the next page, unless one is pending. */
  async more(): Promise<void> {
    const cursor = this.#cursor;
    if (cursor === null || this.#isLoadingMore || this.isBusy || this.moreError !== undefined) return;
    const { signal } = this;
    this.#isLoadingMore = true;
    try {
      const page = await api.inbox({ ...(this.params ?? NO_FILTERS), limit: NEXT_PAGE, cursor }, signal);
      if (!signal.aborted) this.value = { rows: this.#without(withPage(this.rows, page.items)), cursor: page.cursor };
    } catch (thrown) {
      if (!signal.aborted && !isAbort(thrown)) this.moreError = asApiError(thrown);
    } finally {
      if (!signal.aborted) this.#isLoadingMore = false;
    }
  }

  async retryMore(): Promise<void> {
    this.moreError = undefined;
    await this.more();
  }

  /** Remove items that are being decided on. */
  remove(ids: readonly string[]): void {
    for (const id of ids) this.#decided.set(id, false);
    if (this.value !== undefined) this.value = { ...this.value, rows: this.#without(this.rows) };
    // The next page moves up.
    if (this.rows.length === 0 && !this.isComplete) this.refresh(0);
  }

  /** The daemon has taken the decisions: reads from here on are trusted. */
  confirm(ids: readonly string[]): void {
    for (const id of ids) if (this.#decided.has(id)) this.#decided.set(id, true);
  }

  /** The items weren't decided on, or no longer are. */
  async putBack(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#decided.delete(id);
    await this.load();
  }

  protected override delay({ topic, ids }: ChangeEvent): number | undefined {
    if (topic === "inbox") return GATHER_MS;
    const isShown = (row: InboxRow): boolean => row.memories.some(({ id }) => ids.includes(id));
    return topic === "memory" && this.rows.some(isShown) ? GATHER_MS : undefined;
  }
}

/** The rows with those of a page that aren't among them: items move between pages as they change. */
function withPage(rows: readonly InboxRow[], page: readonly InboxRow[]): readonly InboxRow[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...page.filter(({ id }) => !known.has(id))];
}
