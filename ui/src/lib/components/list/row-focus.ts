/** Where the keyboard stands in the tables of a page: each row has one stop, in the cell that names it. */

const STOP = "th :is(a, button, [tabindex])";

export class RowFocus {
  readonly #page: () => HTMLElement;

  constructor(page: () => HTMLElement) {
    this.#page = page;
  }

  /** Those that have a stop: a table may have nothing to go to. */
  get #rows(): HTMLTableRowElement[] {
    const all = [...this.#page().querySelectorAll<HTMLTableRowElement>("tr[data-row]")];
    return all.filter((row) => row.querySelector(STOP) !== null);
  }

  /** The row that has the focus, also on something else within it. */
  get id(): string | undefined {
    return this.#rows[this.index]?.dataset.row;
  }

  /** Its place among the rows of all tables; -1 for none. */
  get index(): number {
    const row = document.activeElement?.closest("tr");
    return this.#rows.findIndex((one) => one === row);
  }

  /** On by so many rows, within the first and the last; to the first one from elsewhere. */
  move(by: number): void {
    this.toIndex(this.index < 0 ? 0 : this.index + by);
  }

  /** To the row at this place, or the nearest that there is; false where there is none. */
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
