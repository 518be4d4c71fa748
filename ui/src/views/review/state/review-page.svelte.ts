/** The state of the Capture review view: the current memory and the selection. */

import { flushSync } from "svelte";

import type { CaptureReviewRow } from "$lib/api/client";
import { ListPage } from "$lib/list/list-page.svelte";
import { rowInPlace } from "$lib/list/row-in-place";
import { lineOf } from "$lib/memory/rows";

import { ReviewActions } from "./review-actions";
import { REVIEW_URL, ReviewItems, type ReviewFilters } from "./review-items.svelte";

export interface PaneHandle {
  focus: () => void;
}

export class ReviewPage extends ListPage<CaptureReviewRow, ReviewFilters> {
  declare readonly items: ReviewItems;
  readonly actions = new ReviewActions(this);
  /** Whether the memory is shown, where there is room for one pane only. */
  isReading = $state(false);
  /** A change is being carried out. */
  isWorking = $state(false);
  /** Said to screen readers. */
  announcement = $state("");
  readonly current = $derived.by(() => this.items.rows.find(({ id }) => id === this.active) ?? this.items.rows[0]);
  pane: PaneHandle | undefined;
  /** The rows before the last change, for when the active one goes away. */
  #previous: readonly CaptureReviewRow[] = [];

  constructor() {
    super({ path: "/review", group: "Capture review", items: new ReviewItems(), url: REVIEW_URL, isBeside: true });
  }

  override get openId(): string | undefined {
    return this.isSinglePane ? undefined : this.current?.id;
  }

  override get front(): "first" | "second" {
    return this.isReading ? "second" : "first";
  }

  /** Where the active memory went away, the next one takes its place. */
  override follow(rows: readonly CaptureReviewRow[]): void {
    this.active = rowInPlace(this.active, this.#previous, rows)?.id;
    this.#previous = rows;
    if (rows.length === 0) this.isReading = false;
    const known = new Set(rows.map(({ id }) => id));
    if (this.items.isComplete) this.deselect([...this.selection.rows.keys()].filter((id) => !known.has(id)));
  }

  /** The selected memories, else the current one. */
  get targets(): readonly CaptureReviewRow[] {
    if (this.selection.rows.size > 0) return this.selected;
    return this.current === undefined ? [] : [this.current];
  }

  override open(id: string): boolean {
    this.active = id;
    this.isReading = true;
    flushSync();
    if (this.isSinglePane) this.pane?.focus();
    return true;
  }

  override close(): void {
    this.isReading = false;
    flushSync();
    this.list?.move(0);
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
