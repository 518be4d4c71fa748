/** Which row of a list one stands on; where it goes, one stands where it was: on the next that is left. */

interface Row {
  readonly id: string;
}

export class CurrentRow {
  /** The row; null below the last one, undefined where nobody stood anywhere yet. */
  #id = $state<string | null>();
  #previous: readonly Row[] = [];

  /** Take in the rows as they are now, and the active one if it is among them. */
  update(rows: readonly Row[], active: string | undefined): void {
    if (active !== undefined) this.#id = active;
    else if (typeof this.#id === "string") this.#id = this.#next(rows, this.#id);
    this.#previous = rows;
  }

  /** It is another list: one stands nowhere in it. */
  reset(): void {
    this.#id = undefined;
  }

  /** Where a step leads: from the active row, or from the place of one that has gone; else to the first. */
  reach(rows: readonly Row[], activeIndex: number, by: number): number {
    if (activeIndex >= 0) return activeIndex + by;
    if (this.#id === undefined) return 0;
    const index = rows.findIndex((row) => row.id === this.#id);
    // One stands before the row that came after the one that has gone.
    return (index < 0 ? rows.length : index) + (by > 0 ? by - 1 : by);
  }

  #next(rows: readonly Row[], id: string): string | null {
    const left = new Set(rows.map((row) => row.id));
    const from = this.#previous.findIndex((row) => row.id === id);
    return this.#previous.slice(Math.max(0, from)).find((row) => left.has(row.id))?.id ?? null;
  }
}
