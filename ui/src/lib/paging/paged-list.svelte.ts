/** A list that is loaded by page and kept current by change events. */

import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

const FIRST_PAGE = 100;
const NEXT_PAGE = 200;
const NO_ROWS: readonly never[] = [];

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null at the end. */
  readonly cursor: string | null;
}

/**
 * The loaded pages of the rows that match `Filters`.
 *
 * A reload reads as far as the user has scrolled, so the list doesn't shrink under them. A subclass
 * defines how to read a page.
 */
export abstract class PagedList<Row extends { readonly id: string }, Filters> extends Resource<Page<Row>, Filters> {
  /** The daemon's page limit. */
  protected abstract readonly maxPage: number;
  /** The number of rows down to the last visible one; later rows needn't be reloaded. */
  visibleRows = 0;
  /** Why the next page couldn't be loaded. */
  moreError = $state.raw<ApiError>();
  #isLoadingMore = false;

  constructor(filters: Filters) {
    super();
    this.params = filters;
  }

  protected abstract readPage(filters: Filters, limit: number, cursor: string | undefined, signal: AbortSignal): Promise<Page<Row>>;

  /** The rows to show of those that were read. */
  protected shown(rows: readonly Row[]): readonly Row[] {
    return rows;
  }

  get rows(): readonly Row[] {
    return this.value?.rows ?? NO_ROWS;
  }

  get isComplete(): boolean {
    return this.#cursor === null;
  }

  get #cursor(): string | null {
    return this.value?.cursor ?? null;
  }

  override async load(filters = this.params as Filters): Promise<Outcome> {
    this.#isLoadingMore = false;
    this.moreError = undefined;
    return super.load(filters);
  }

  protected async read(signal: AbortSignal, filters: Filters): Promise<Page<Row>> {
    const isSame = filters === this.loadedParams;
    const wanted = isSame ? Math.max(FIRST_PAGE, Math.min(this.rows.length, this.visibleRows + FIRST_PAGE)) : FIRST_PAGE;
    let rows: readonly Row[] = [];
    let cursor: string | null = null;
    do {
      const limit = Math.min(this.maxPage, wanted - rows.length);
      const page: Page<Row> = await this.readPage(filters, limit, cursor ?? undefined, signal);
      signal.throwIfAborted();
      rows = withPage(rows, page.rows);
      ({ cursor } = page);
    } while (cursor !== null && rows.length < wanted);
    return { rows, cursor };
  }

  /** Load the next page, unless one is pending. */
  async more(): Promise<void> {
    const cursor = this.#cursor;
    if (cursor === null || this.#isLoadingMore || this.isBusy || this.moreError !== undefined) return;
    const { signal } = this;
    this.#isLoadingMore = true;
    try {
      const page = await this.readPage(this.params as Filters, NEXT_PAGE, cursor, signal);
      if (!signal.aborted) this.value = { rows: this.shown(withPage(this.rows, page.rows)), cursor: page.cursor };
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
}

/** The rows with those of a page that aren't among them: rows move between pages as they change. */
function withPage<Row extends { readonly id: string }>(rows: readonly Row[], page: readonly Row[]): readonly Row[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...page.filter(({ id }) => !known.has(id))];
}
