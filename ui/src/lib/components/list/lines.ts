/** The lines of a list with headings: its rows and headings in order, all equally high. */

export interface GroupHeading {
  /** The index of the group's first row. */
  readonly at: number;
  readonly key: string;
  readonly label: string;
  /** The full name, if the label is short for it. */
  readonly title?: string | undefined;
  /** What else tells it apart. */
  readonly note?: string | undefined;
  /** The number of its rows. */
  readonly count: string;
  /** Whether only its first row is shown; undefined if it can't be collapsed. */
  readonly isCollapsed?: boolean | undefined;
  /** Which of its rows are selected; undefined if they can't be selected together. */
  readonly selected?: "all" | "some" | "none" | undefined;
}

/** Rows below one heading, or rows of a list without headings. */
interface Section<Row> {
  /** The index of the heading; -1 for none. */
  readonly index: number;
  readonly heading: GroupHeading | undefined;
  readonly rows: readonly Row[];
}

/** How many of the ascending numbers are at most this. */
function countUpTo(length: number, numberAt: (index: number) => number, most: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class Lines {
  /** The number of lines. */
  readonly length: number;
  readonly #headings: readonly GroupHeading[];

  /** `headings` are in order. */
  constructor(rows: number, headings: readonly GroupHeading[]) {
    this.length = rows + headings.length;
    this.#headings = headings;
  }

  /** The index of the heading that a row belongs to; -1 for none. */
  headingOf(row: number): number {
    return countUpTo(this.#headings.length, (index) => this.#headings[index]?.at ?? 0, row) - 1;
  }

  /** The line of a row. */
  lineOf(row: number): number {
    return row + this.headingOf(row) + 1;
  }

  /** The row on a line, or the first one below a heading there. */
  rowAt(line: number): number {
    const before = countUpTo(this.#headings.length, (index) => (this.#headings[index]?.at ?? 0) + index, line);
    return Math.max(this.#headings[before - 1]?.at ?? 0, line - before);
  }

  /** Group rows by their headings. */
  grouped<Row extends { readonly index: number }>(rows: readonly Row[]): readonly Section<Row>[] {
    const byHeading = new Map<number, Row[]>();
    for (const row of rows) {
      const heading = this.headingOf(row.index);
      const others = byHeading.get(heading);
      if (others === undefined) byHeading.set(heading, [row]);
      else others.push(row);
    }
    return [...byHeading].map(([index, own]) => ({ index, heading: this.#headings[index], rows: own }));
  }
}
