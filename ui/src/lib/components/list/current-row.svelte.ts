/** The current row of a list; if it is removed, the next remaining one takes its place. */

interface Row {
  readonly id: string;
}

export class CurrentRow {
  /** The row's id; null past the last row, undefined if there was none yet. */
  #id = $state<string | null>();
  #previous: readonly Row[] = [];

  /** Update the rows, and the active one if it is among them. */
  update(rows: readonly Row[], active: string | undefined): void {
    if (active !== undefined) this.#id = active;
    else if (typeof this.#id === "string") this.#id = this.#next(rows, this.#id);
    this.#previous = rows;
  }

  /** Forget the current row, for a new list. */
  reset(): void {
    this.#id = undefined;
  }

  /** The index after a step: from the active row, or the place of a removed one, else the first. */
  reach(rows: readonly Row[], activeIndex: number, by: number): number {
    if (activeIndex >= 0) return activeIndex + by;
    if (this.#id === undefined) return 0;
    const index = rows.findIndex((row) => row.id === this.#id);
    // The position is just before the row that followed the removed one.
    return (index < 0 ? rows.length : index) + (by > 0 ? by - 1 : by);
  }

  #next(rows: readonly Row[], id: string): string | null {
    const left = new Set(rows.map((row) => row.id));
    const from = this.#previous.findIndex((row) => row.id === id);
    return this.#previous.slice(Math.max(0, from)).find((row) => left.has(row.id))?.id ?? null;
  }
}
