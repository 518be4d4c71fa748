/** The rows that are chosen. It survives scrolling and what others change. */

import type { ListRow } from "$lib/memory/rows";

import { current, NONE, only, ranged, toggled, without, type Picked } from "./selection";

export class Selection {
  picked = $state.raw<Picked>(NONE);
  #anchor: string | undefined;
  /** What was chosen when the anchor was set: a range grows and shrinks upon it. */
  #before: Picked = NONE;

  get count(): number {
    return this.picked.size;
  }

  has(id: string): boolean {
    return this.picked.has(id);
  }

  toggle(row: ListRow): void {
    this.picked = toggled(this.picked, row);
    this.#anchor = row.id;
    this.#before = this.picked;
  }

  /** Extend to a row, from the anchor, or from where one stands. */
  extend(rows: readonly ListRow[], from: string | undefined, to: string): void {
    if (this.#anchor === undefined || this.count === 0) {
      this.#anchor = from ?? to;
      this.#before = this.picked;
    }
    this.picked = ranged(this.#before, rows, this.#anchor, to);
  }

  take(rows: readonly ListRow[]): void {
    this.picked = new Map(rows.map((row) => [row.id, row]));
    this.#settle();
  }

  drop(ids: readonly string[]): void {
    this.picked = without(this.picked, ids);
    this.#before = without(this.#before, ids);
  }

  /** Only these, where they are chosen; returns how many. */
  keep(ids: readonly string[]): number {
    this.picked = only(this.picked, new Set(ids));
    this.#settle();
    return this.count;
  }

  clear(): void {
    this.picked = NONE;
    this.#settle();
  }

  rows(loaded: readonly ListRow[]): readonly ListRow[] {
    return current(this.picked, loaded);
  }

  #settle(): void {
    this.#anchor = undefined;
    this.#before = this.picked;
  }
}
