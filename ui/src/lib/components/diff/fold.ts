/** Folds long unchanged text, keeping the context of changes. */

export interface Folded {
  readonly head: string;
  /** Hidden until the user expands it. */
  readonly hidden: string;
  readonly tail: string;
}

const LINES = 3;
const LETTERS = 120;
/** Don't fold less than this. */
const MIN_HIDDEN = 160;

/** Keep the context after and before changes; the whole text if folding saves little. */
export function fold(text: string, isFirst: boolean, isLast: boolean): Folded {
  const head = isFirst ? 0 : headLength(text);
  const tail = isLast ? text.length : text.length - tailLength(text);
  if (tail - head < MIN_HIDDEN) return { head: text, hidden: "", tail: "" };
  return { head: text.slice(0, head), hidden: text.slice(head, tail), tail: text.slice(tail) };
}

function headLength(text: string): number {
  let end = -1;
  for (let line = 0; line < LINES; line++) {
    const next = text.indexOf("\n", end + 1);
    if (next < 0 || next > LETTERS) break;
    end = next;
  }
  if (end >= 0) return end + 1;
  const space = text.indexOf(" ", LETTERS);
  return space < 0 || space > LETTERS * 2 ? characterBoundary(text, LETTERS) : space + 1;
}

function tailLength(text: string): number {
  // The final newline isn't a line of its own.
  let start = text.length - 1;
  let found = -1;
  for (let line = 0; line < LINES; line++) {
    const next = text.lastIndexOf("\n", start - 1);
    if (next < 0 || text.length - next > LETTERS) break;
    start = next;
    found = next;
  }
  if (found >= 0) return text.length - found - 1;
  const space = text.lastIndexOf(" ", text.length - LETTERS);
  const from = space < text.length - LETTERS * 2 ? characterBoundary(text, text.length - LETTERS) : space + 1;
  return text.length - Math.max(0, from);
}

/** The next position that doesn't split a surrogate pair. */
function characterBoundary(text: string, at: number): number {
  const from = Math.max(0, at);
  return /^[\uDC00-\uDFFF]/.test(text.slice(from, from + 1)) ? from + 1 : from;
}
