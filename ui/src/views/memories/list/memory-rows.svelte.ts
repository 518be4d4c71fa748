/** The rows of the memory list: loaded by page or by search, and kept current by change events. */

import { api, type MemoryList } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { queryOf, matches, type FilterSet } from "$lib/memory/filters";
import { pageRows, withPage, withRow, rowOf, type ListRow } from "$lib/memory/rows";
import { now } from "$lib/components/time/now.svelte";
import { Deadline } from "$lib/state/deadline";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

import { headingsOf, orderOf, type Arrangement } from "./arrangement.svelte";

export interface ListQuery extends FilterSet, Partial<Arrangement> {
  readonly q: string;
  /** Whether a search also lists memories that don't answer it well enough. */
  readonly withWeaker?: boolean;
}

const NO_QUERY: ListQuery = { q: "" };
const PAGE = 100;
const NEXT_PAGE = 200;
/** The daemon's page limit, used to load to the end. */
const MAX_PAGE = 1_000;
const MOST_FOUND = 200;
const GATHER_MS = 60;
/** The minimum time between reloads while many memories change. */
const BURST_MS = 1_000;
/** Above this many changed rows, reloading the list is cheaper. */
const MAX_SINGLE_UPDATES = 20;

interface RowsReading {
  readonly rows: readonly ListRow[];
  /** The cursor of the next page; null at the end. */
  readonly cursor: string | null;
  /** How many weaker matches the search left out. */
  readonly weaker?: number;
}

export class MemoryRows extends Resource<RowsReading, ListQuery> {
  /** The total number of memories, regardless of filters. */
  stored = $state<number>();
  /** The number of rows down to the last visible one; later rows needn't be reloaded. */
  visibleRows = 0;

  /** By group of a grouped list. */
  #counts = $state.raw<ReadonlyMap<string, number>>(new Map());
  /** The headings of the loaded rows, in a grouped list. */
  readonly headings = $derived(
    this.#isSearch ? [] : headingsOf(this.rows, this.loadedParams ?? NO_QUERY, this.#counts, this.isComplete, now()),
  );
  /** The number of rows to load next. */
  #wanted = PAGE;
  #isLoadingMore = false;
  #pending = new Map<string, ChangeEvent["what"]>();
  #everything = false;
  readonly #gathering = new Deadline(() => {
    this.#onGathered();
  });
  #holds = 0;
  /** Changes are being applied; new ones wait, since a pending response may be older. */
  #isApplying = false;
  #isDelayed = false;
  /** Rows removed by this page; a pending response may still contain them. */
  #gone = new Set<string>();

  get rows(): readonly ListRow[] {
    return this.value?.rows ?? [];
  }

  /** Why the next page couldn't be loaded. */
  get moreError(): ApiError | undefined {
    return this.error;
  }

  /** How many weaker matches the search left out. */
  get weaker(): number {
    return this.value?.weaker ?? 0;
  }

  /** Search again, and list weaker matches too. */
  showWeaker(): Promise<Outcome> {
    return this.load({ ...this.#query, withWeaker: true });
  }

  get isComplete(): boolean {
    return this.#cursor === null;
  }

  get #cursor(): string | null {
    return this.value?.cursor ?? null;
  }

  /** Whether the daemon orders it otherwise than by the time of creation. */
  get #isArranged(): boolean {
    return Object.keys(orderOf(this.#query)).length > 0;
  }

  get #query(): ListQuery {
    return this.params ?? NO_QUERY;
  }

  get #isSearch(): boolean {
    return this.#query.q.trim() !== "";
  }

  /** Whether the rows belong to the current query. */
  get #isAnswered(): boolean {
    return this.phase === "ready" && this.loadedParams === this.params;
  }

  /** Load the rows of a query, aborting a pending load. */
  override load(query = this.#query): Promise<Outcome> {
    return this.#load(query, PAGE);
  }

  async #load(query: ListQuery, wanted: number): Promise<Outcome> {
    this.#wanted = wanted;
    this.#isLoadingMore = false;
    return super.load(query);
  }

  protected async read(signal: AbortSignal, query: ListQuery): Promise<RowsReading> {
    if (!this.#isSearch) return this.#readPages(query, signal);
    // Like the list, show only the project's own memories, not the global ones.
    const wanted = { q: query.q, ...queryOf(query, Date.now()), exactProject: true, limit: MOST_FOUND };
    const { results, weaker } = await api.search(query.withWeaker === true ? { ...wanted, min_score: 0 } : wanted, signal);
    return { ...this.#shown(results.map(rowOf), null), weaker };
  }

  async #readPages(query: ListQuery, signal: AbortSignal): Promise<RowsReading> {
    const filters = { ...queryOf(query, Date.now()), ...orderOf(query) };
    const counts = new Map<string, number>();
    const pages = Math.ceil(this.#wanted / MAX_PAGE);
    const limit = Math.ceil(this.#wanted / pages);
    let rows: readonly ListRow[] = [];
    let cursor: string | null = null;
    for (let read = 0; read < pages && (read === 0 || cursor !== null); read += 1) {
      const page: MemoryList = await api.memories({ ...filters, limit, cursor: cursor ?? undefined }, signal);
      signal.throwIfAborted();
      rows = withPage(rows, pageRows(page), this.#isArranged);
      for (const { value, count } of page.groups ?? []) counts.set(value ?? "", count);
      this.stored = page.stats.total;
      cursor = page.next_cursor;
    }
    this.#counts = counts;
    return this.#shown(rows, cursor);
  }

  #shown(rows: readonly ListRow[], cursor: string | null): RowsReading {
    return { rows: this.#gone.size === 0 ? rows : rows.filter((row) => !this.#gone.has(row.id)), cursor };
  }

  #show(rows: readonly ListRow[]): void {
    this.value = { rows, cursor: this.#cursor, weaker: this.weaker };
  }

  protected override settled(outcome: Outcome): void {
    if (outcome === "failed" && this.phase === "ready") {
      // Keep the rows and reload everything with the next change.
      this.#everything = true;
      this.error = undefined;
    }
    if (this.stored === undefined && outcome === "ready") this.#count(this.signal).catch(() => undefined);
    this.#applyDelayed();
  }

  async #count(signal: AbortSignal): Promise<void> {
    const { stats } = await api.memories({ limit: 1 }, signal);
    this.stored = stats.total;
  }

  /** Load the next page, unless one is pending. */
  async more(limit = NEXT_PAGE): Promise<void> {
    if (this.#cursor === null || this.#isLoadingMore || this.isBusy || this.error !== undefined) return;
    const { signal } = this;
    this.#isLoadingMore = true;
    try {
      const query = { ...queryOf(this.#query, Date.now()), ...orderOf(this.#query), limit, cursor: this.#cursor };
      const page = await api.memories(query, signal);
      if (signal.aborted) return;
      this.#counts = new Map([...this.#counts, ...(page.groups ?? []).map(({ value, count }) => [value ?? "", count] as const)]);
      this.value = this.#shown(withPage(this.rows, pageRows(page), this.#isArranged), page.next_cursor);
    } catch (thrown) {
      if (!isAbort(thrown)) this.error = asApiError(thrown);
    } finally {
      if (!signal.aborted) {
        this.#isLoadingMore = false;
        this.#applyDelayed();
      }
    }
  }

  /** Load all pages, until done or aborted; true if all are loaded. */
  async toEnd(signal: AbortSignal): Promise<boolean> {
    while (!this.isComplete && this.error === undefined && !signal.aborted) {
      if (this.#isLoadingMore || this.isBusy) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      else await this.more(MAX_PAGE);
    }
    return this.isComplete;
  }

  /** Wait until the rows belong to the current query. */
  async #answer(signal: AbortSignal): Promise<void> {
    while (!this.#isAnswered) {
      signal.throwIfAborted();
      if (!this.isBusy && this.error !== undefined) throw this.error;
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    }
  }

  /** Fetch all matching rows without showing them. */
  async collect(signal: AbortSignal, onprogress: (count: number) => void): Promise<readonly ListRow[]> {
    await this.#answer(signal);
    if (this.isComplete) return this.rows;
    const filters = { ...queryOf(this.#query, Date.now()), ...orderOf(this.#query) };
    let rows: readonly ListRow[] = [];
    let cursor: string | undefined;
    do {
      const page: MemoryList = await api.memories({ ...filters, limit: MAX_PAGE, cursor }, signal);
      rows = withPage(rows, pageRows(page), this.#isArranged);
      cursor = page.next_cursor ?? undefined;
      onprogress(rows.length);
    } while (cursor !== undefined);
    return rows;
  }

  /** Don't apply changes until the returned function is called, for bulk jobs. */
  hold(): () => void {
    this.#holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds -= 1;
      if (this.#holds === 0) this.#gathering.within(0);
    };
  }

  async retryMore(): Promise<void> {
    this.error = undefined;
    await this.more();
  }

  /** Remove a row immediately; returns a function that puts it back. */
  remove(id: string): () => void {
    const query = this.#query;
    const index = this.rows.findIndex((one) => one.id === id);
    const row = this.rows[index];
    this.#show(this.rows.filter((one) => one.id !== id));
    this.#gone.add(id);
    return () => {
      this.#gone.delete(id);
      if (this.#query !== query) this.handleChange({ topic: "memory", what: "updated", ids: [id] });
      else if (row !== undefined && !this.rows.some((one) => one.id === id)) {
        this.#show(this.rows.toSpliced(Math.min(index, this.rows.length), 0, row));
      }
    };
  }

  /** Remove rows that no longer exist. */
  drop(ids: readonly string[]): void {
    const gone = new Set(ids);
    this.#show(this.rows.filter((row) => !gone.has(row.id)));
  }

  /** Collect changes for a moment before applying them, since they come in bursts. */
  override handleChange(change: ChangeEvent | "resync"): void {
    if (change === "resync") {
      this.#everything = true;
      this.#gone.clear();
    } else if (change.topic === "memory") {
      for (const id of change.ids) {
        this.#pending.set(id, change.what);
        if (change.what === "recovered") this.#gone.delete(id);
      }
    } else if (change.topic === "embeddings" && this.#isSearch) {
      // Newly embedded memories may match the search.
      this.#everything = true;
      this.#gathering.within(BURST_MS);
      return;
    } else return;
    this.#gathering.within(GATHER_MS);
  }

  #onGathered(): void {
    const isBulkMode = !this.#isSearch && this.#pending.size > MAX_SINGLE_UPDATES;
    const calm = this.readAt + BURST_MS - Date.now();
    if (isBulkMode && calm > 0 && this.phase === "ready") this.#gathering.within(calm);
    else void this.#applyChanges();
  }

  /** Apply changes that waited for a response. */
  #applyDelayed(): void {
    if (!this.#isDelayed) return;
    this.#isDelayed = false;
    this.#gathering.within(0);
  }

  async #applyChanges(): Promise<void> {
    if (this.#holds > 0) return;
    if (this.isBusy || this.#isLoadingMore || this.#isApplying) {
      this.#isDelayed = true;
      return;
    }
    this.#isApplying = true;
    try {
      await this.#applyChangesNow();
    } finally {
      this.#isApplying = false;
    }
    this.#applyDelayed();
  }

  async #applyChangesNow(): Promise<void> {
    const changes = this.#pending;
    const everything = this.#everything;
    this.#pending = new Map();
    this.#everything = false;
    if (changes.size === 0 && !everything) return;
    // Only the daemon knows which memories name an entity.
    const mustReload =
      this.#query.entity !== undefined ||
      everything ||
      changes.size > MAX_SINGLE_UPDATES ||
      this.phase !== "ready" ||
      this.#isSearch ||
      this.#isArranged;
    if (mustReload) {
      await this.#load(this.#query, Math.max(PAGE, Math.min(this.rows.length, this.visibleRows + PAGE)));
      if (!this.#isSearch) return;
    }
    const { signal } = this;
    try {
      if (!mustReload) {
        await Promise.all([...changes].map(([id, what]) => this.#refresh(id, what, signal)));
      }
      await this.#count(signal);
    } catch (thrown) {
      // A lost connection is shown elsewhere, and the reconnect triggers a reload.
      if (!isAbort(thrown)) this.#everything = true;
    }
  }

  async #refresh(id: string, what: ChangeEvent["what"], signal: AbortSignal): Promise<void> {
    if (what === "deleted") {
      this.drop([id]);
      return;
    }
    try {
      const row = rowOf(await api.memory(id, signal));
      if (signal.aborted || this.#gone.has(id)) return;
      if (!matches(row, this.#query, Date.now())) this.drop([id]);
      else this.#show(withRow(this.rows, row, this.isComplete));
    } catch (thrown) {
      if (isAbort(thrown) || asApiError(thrown).status !== 404) throw thrown;
      this.drop([id]);
    }
  }
}
