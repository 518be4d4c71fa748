/** The doubtful memories: loaded by page, and kept current by change events. */

import { api, type CaptureReviewRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { urlFilters } from "$lib/list/url-filters";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";

const GATHER_MS = 150;

/** The list has no filters. */
export type ReviewFilters = Record<string, never>;

export const REVIEW_URL = urlFilters<ReviewFilters>({});

export class ReviewItems extends PagedList<CaptureReviewRow, ReviewFilters> {
  protected override readonly maxPage = 1_000;
  protected override readonly resyncMs = GATHER_MS;
  /** How many there are in all, and whether more may be found. */
  total = $state(0);
  isReviewing = $state(false);

  constructor() {
    super(REVIEW_URL.none);
  }

  protected async readPage(
    _: ReviewFilters,
    limit: number,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Page<CaptureReviewRow>> {
    const page = await api.captureReview({ limit, cursor }, signal);
    this.total = page.total;
    this.isReviewing = page.reviewing;
    return { rows: page.items, cursor: page.cursor };
  }

  /** Load all pages; rejects if one can't be loaded. */
  async all(): Promise<readonly CaptureReviewRow[]> {
    for (let before = -1; !this.isComplete && this.rows.length > before;) {
      before = this.rows.length;
      await this.more();
      if (this.moreError !== undefined) throw this.moreError;
    }
    return this.rows;
  }

  /** Remove rows that were just forgotten or kept; the next read confirms it. */
  remove(ids: Iterable<string>): void {
    if (this.value === undefined) return;
    const gone = new Set(ids);
    const rows = this.rows.filter(({ id }) => !gone.has(id));
    this.total = Math.max(0, this.total - (this.rows.length - rows.length));
    this.value = { ...this.value, rows };
    if (rows.length === 0 && !this.isComplete) this.refresh(0);
  }

  protected override delay({ topic, what, ids }: ChangeEvent): number | undefined {
    if (topic === "capture_review") return GATHER_MS;
    if (topic !== "memory" || what === "added") return undefined;
    return what === "recovered" || this.rows.some(({ id }) => ids.includes(id)) ? GATHER_MS : undefined;
  }
}
