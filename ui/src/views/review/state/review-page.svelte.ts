/** The state of the Capture review view: the current memory and the selection. */

import { flushSync } from "svelte";

import type { CaptureReviewRow } from "$lib/api/client";
import { ReadingPage } from "$lib/list/reading-page.svelte";
import { lineOf } from "$lib/memory/rows";

import { ReviewActions } from "./review-actions";
import { REVIEW_URL, ReviewItems, type ReviewFilters } from "./review-items.svelte";

export class ReviewPage extends ReadingPage<CaptureReviewRow, ReviewFilters> {
  declare readonly items: ReviewItems;
  readonly actions = new ReviewActions(this);
  /** A change is being carried out. */
  isWorking = $state(false);
  /** Said to screen readers. */
  announcement = $state("");

  constructor() {
    super({ path: "/review", group: "Capture review", items: new ReviewItems(), url: REVIEW_URL, isBeside: true });
  }

  override follow(rows: readonly CaptureReviewRow[]): void {
    super.follow(rows);
    const known = new Set(rows.map(({ id }) => id));
    if (this.items.isComplete) this.deselect([...this.selection.rows.keys()].filter((id) => !known.has(id)));
  }

  /** The selected memories, else the current one. */
  get targets(): readonly CaptureReviewRow[] {
    if (this.selection.rows.size > 0) return this.selected;
    return this.current === undefined ? [] : [this.current];
  }

  /** After memories went away, announce the next one, and keep the keyboard in the list. */
  moveOn(): void {
    this.follow(this.items.rows);
    const { current } = this;
    this.announcement = current === undefined ? "No memories left in this list." : `Next: ${lineOf(current.content)}`;
    flushSync();
    const at = document.activeElement;
    if (at !== document.body && at !== null && this.list?.hasFocus() !== true) return;
    const index = this.items.rows.findIndex(({ id }) => id === this.active);
    if (index >= 0 && !this.isReading) this.list?.focusRow(index);
  }
}
