/** The selected rows of the list; survives scrolling and changes. */

import type { ListRow } from "$lib/memory/rows";
import { EMPTY_SELECTION, retain, select, selectAll, selectedRows, without, type Selection } from "$lib/components/list/selection";

export class SelectedRows {
  #selection = $state.raw<Selection<ListRow>>(EMPTY_SELECTION);

  /** The selected rows by ID. */
  get rows(): ReadonlyMap<string, ListRow> {
    return this.#selection.rows;
  }

  get count(): number {
    return this.rows.size;
  }

  toggle(row: ListRow): void {
    this.#selection = select(this.#selection, row.id, "toggle", [row]);
  }

  /** Extend the selection to a row, from the last toggled one or `from`. */
  extend(listed: readonly ListRow[], from: string | undefined, to: string): void {
    this.#selection = select(this.#selection, to, "range", listed, from);
  }

  take(rows: readonly ListRow[]): void {
    this.#selection = selectAll(rows);
  }

  drop(ids: readonly string[]): void {
    this.#selection = without(this.#selection, ids);
  }

  /** Keep only these selected; returns how many are. */
  keep(ids: readonly string[]): number {
    this.#selection = retain(this.#selection, ids);
    return this.count;
  }

  clear(): void {
    this.#selection = EMPTY_SELECTION;
  }

  /** The selected rows, each as currently listed if it is. */
  asListed(listed: readonly ListRow[]): readonly ListRow[] {
    return selectedRows(this.#selection, listed);
  }
}
