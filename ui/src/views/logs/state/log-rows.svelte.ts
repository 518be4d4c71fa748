/** The lines of the log, newest first: loaded by page, with new ones as they are written. */

import { api, type LogList, type LogRow } from "$lib/api/client";
import { LogStream } from "$lib/api/log-stream";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";

import { LOG_URL, queryOf, type LogFilters } from "./log-filters";

/** More lines than anybody reads: the oldest are dropped, and loaded again when they are scrolled to. */
const MOST_ROWS = 5_000;
/** Of more lines that wait, the list is loaded anew. */
export const MOST_WAITING = 1_000;

type Open = (...args: ConstructorParameters<typeof LogStream>) => Pick<LogStream, "close">;

export class LogRows extends PagedList<LogRow, LogFilters> {
  protected override readonly maxPage = 1_000;
  /** A hidden page needs no stream: a browser opens only few to one daemon. */
  protected override readonly pausesHidden = true;
  /** Whether new lines are shown as they come; if not, they wait. */
  isFollowing = $state(true);
  /** The new lines that wait to be shown, newest first. */
  waiting = $state.raw<readonly LogRow[]>([]);
  /** The parts that lines have come from. */
  parts = $state.raw<readonly string[]>([]);
  readonly #open: Open;
  #stream: Pick<LogStream, "close"> | undefined;
  #end: string | null = null;

  constructor(open: Open = (...args) => new LogStream(...args)) {
    super(LOG_URL.none);
    this.#open = open;
  }

  protected async readPage(filters: LogFilters, limit: number, cursor: string | undefined, signal: AbortSignal): Promise<Page<LogRow>> {
    const page: LogList = await api.logs({ ...queryOf(filters, Date.now()), limit, cursor }, signal);
    if (cursor === undefined) this.#end = page.end;
    this.#know(page.logs);
    return { rows: page.logs.toReversed(), cursor: page.nextCursor };
  }

  protected override settled(outcome: "ready" | "failed"): void {
    const filters = this.loadedParams;
    if (outcome === "failed" || filters === undefined) return;
    this.waiting = [];
    // What is written from now on is later.
    if (filters.until !== undefined) return;
    this.#stream = this.#open(queryOf(filters, Date.now()), this.#end, (lines) => {
      this.add(lines);
    });
  }

  override stop(): void {
    super.stop();
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Add new lines, oldest first: on top, or to those that wait. */
  add(lines: readonly LogRow[]): void {
    this.#know(lines);
    const newest = lines.toReversed();
    if (this.isFollowing) this.#show(newest);
    else this.waiting = [...newest, ...this.waiting].slice(0, MOST_WAITING);
  }

  /** Show new lines as they come, or let them wait. */
  follow(isFollowing: boolean): void {
    this.isFollowing = isFollowing;
    const { waiting } = this;
    if (!isFollowing || waiting.length === 0) return;
    this.waiting = [];
    if (waiting.length < MOST_WAITING) this.#show(waiting);
    else this.refresh(0);
  }

  /** The loaded lines and all older ones, newest first, at most so many. */
  async upTo(most: number, signal?: AbortSignal): Promise<readonly LogRow[]> {
    const filters = this.params ?? LOG_URL.none;
    const query = queryOf(filters, Date.now());
    let found: LogRow[] = [];
    let cursor: string | null = null;
    do {
      const limit = Math.min(this.maxPage, most - found.length);
      const page: LogList = await api.logs({ ...query, limit, cursor: cursor ?? undefined }, signal);
      found = [...found, ...page.logs.toReversed()];
      cursor = page.nextCursor;
    } while (cursor !== null && found.length < most);
    return found;
  }

  #show(newest: readonly LogRow[]): void {
    const all = [...newest, ...this.rows];
    const rows = all.slice(0, MOST_ROWS);
    // The ID of a line is the cursor of those before it.
    const cursor = rows.length < all.length ? (rows.at(-1)?.id ?? null) : (this.value?.cursor ?? null);
    this.value = { rows, cursor };
  }

  #know(lines: readonly LogRow[]): void {
    const known = new Set([...this.parts, ...lines.map(({ category }) => category)]);
    if (known.size > this.parts.length) this.parts = [...known].sort((a, b) => a.localeCompare(b));
  }
}
