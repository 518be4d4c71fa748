/** The rows of the list that are selected. It survives scrolling and what others change. */

import type { ListRow } from "$lib/memory/rows";
import { EMPTY_SELECTION, retain, select, selectAll, selectedRows, without, type Selection } from "$lib/components/list/selection";

export class SelectedRows {
  #selection = $state.raw<Selection<ListRow>>(EMPTY_SELECTION);

  /** By their ids. */
  get rows(): ReadonlyMap<string, ListRow> {
    return this.#selection.rows;
  }

  get count(): number {
    return this.rows.size;
  }

  toggle(row: ListRow): void {
    this.#selection = select(this.#selection, row.id, "toggle", [row]);
  }

  /** Extend to a listed row, from where the last was toggled, or from where one stands. */
  extend(listed: readonly ListRow[], from: string | undefined, to: string): void {
    this.#selection = select(this.#selection, to, "range", listed, from);
  }

  take(rows: readonly ListRow[]): void {
    this.#selection = selectAll(rows);
  }

  drop(ids: readonly string[]): void {
    this.#selection = without(this.#selection, ids);
  }

  /** Only these, where they are selected; returns how many. */
  keep(ids: readonly string[]): number {
    this.#selection = retain(this.#selection, ids);
    return this.count;
  }

  clear(): void {
    this.#selection = EMPTY_SELECTION;
  }

  /** Each as it is now, where it is listed. */
  asListed(listed: readonly ListRow[]): readonly ListRow[] {
    return selectedRows(this.#selection, listed);
  }
}
