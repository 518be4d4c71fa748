/** Keyboard focus in the tables of a view: each row has one tab stop, in its header cell. */

const STOP = "th :is(a, button, [tabindex])";

export class RowFocus {
  readonly #page: () => HTMLElement;

  constructor(page: () => HTMLElement) {
    this.#page = page;
  }

  /** The rows that have a tab stop. */
  get #rows(): HTMLTableRowElement[] {
    const all = [...this.#page().querySelectorAll<HTMLTableRowElement>("tr[data-row]")];
    return all.filter((row) => row.querySelector(STOP) !== null);
  }

  /** The id of the row that contains focus. */
  get id(): string | undefined {
    return this.#rows[this.index]?.dataset.row;
  }

  /** Its index among the rows of all tables; -1 for none. */
  get index(): number {
    const row = document.activeElement?.closest("tr");
    return this.#rows.findIndex((one) => one === row);
  }

  /** Move by so many rows within bounds; to the first row if none has focus. */
  move(by: number): void {
    this.toIndex(this.index < 0 ? 0 : this.index + by);
  }

  /** Focus the row at this index, or the nearest one; false if there are no rows. */
  toIndex(index: number): boolean {
    const rows = this.#rows;
    return this.#focus(rows[Math.min(Math.max(index, 0), rows.length - 1)]);
  }

  to(id: string | undefined): boolean {
    return this.#focus(this.#rows.find((row) => row.dataset.row === id));
  }

  #focus(row: HTMLTableRowElement | undefined): boolean {
    const stop = row?.querySelector<HTMLElement>(STOP);
    stop?.focus();
    return row !== undefined;
  }
}
