/** The state of a list whose current row is read beside it, or in its place where there is room for one pane only. */

import { flushSync } from "svelte";

import { ListPage } from "./list-page.svelte";
import { rowInPlace } from "./row-in-place";

interface PaneHandle {
  readonly focus: () => void;
}

export class ReadingPage<R extends { readonly id: string }, Filters extends object> extends ListPage<R, Filters> {
  /** Whether the row is shown, where there is room for one pane only. */
  isReading = $state(false);
  readonly current = $derived.by(() => this.items.rows.find(({ id }) => id === this.active) ?? this.items.rows[0]);
  pane: PaneHandle | undefined;
  /** The rows before the last change, for when the current one goes away. */
  #previous: readonly R[] = [];

  override get openId(): string | undefined {
    return this.isSinglePane ? undefined : this.current?.id;
  }

  override get front(): "first" | "second" {
    return this.isReading ? "second" : "first";
  }

  /** Where the current row went away, the next one takes its place. */
  override follow(rows: readonly R[]): void {
    this.active = rowInPlace(this.active, this.#previous, rows)?.id;
    this.#previous = rows;
    if (rows.length === 0) this.isReading = false;
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
}
