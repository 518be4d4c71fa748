/**
 * Compares two texts by lines, then by words within changed lines. The work is bounded: a stretch
 * with too many differences counts as replaced.
 */

export interface Piece {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Whole lines: unchanged, or changed with the pieces of both sides in reading order. */
export interface Block {
  readonly changed: boolean;
  readonly pieces: readonly Piece[];
}

/** Give up beyond this many edits. */
const MOST_EDITS = 600;
/** A stretch with less than this in common reads better as replaced. */
const LEAST_COMMON = 0.25;

/**
 * A stretch to segment at a time: older engines need quadratic time. It ends after a space if
 * there is one, and never within a character.
 */
const STRETCH = /[^]{1,600}(?:(?<=\s)|$)|[^]{1,600}(?<!\u200d)(?:\u200d[^]|[\p{M}\p{Emoji_Modifier}])*/gu;

/** One step of the edit script: how many elements of which kind. */
interface Step {
  readonly kind: Piece["kind"];
  readonly count: number;
}

export function diffBlocks(before: string, after: string): Block[] {
  const blocks: Block[] = [];
  const [old, young] = [linesOf(before), linesOf(after)];
  const steps = compare(old, young) ?? replaceSteps(old.length, young.length);
  let [i, j] = [0, 0];
  let [gone, come] = ["", ""];
  const flush = (): void => {
    if (gone !== "" || come !== "") blocks.push({ changed: true, pieces: diffWords(gone, come) });
    [gone, come] = ["", ""];
  };
  for (const { kind, count } of steps) {
    if (kind === "same") {
      flush();
      const text = old.slice(i, i + count).join("");
      blocks.push({ changed: false, pieces: [{ kind, text }] });
    } else if (kind === "removed") gone += old.slice(i, i + count).join("");
    else come += young.slice(j, j + count).join("");
    if (kind !== "added") i += count;
    if (kind !== "removed") j += count;
  }
  flush();
  return blocks;
}

/** Compare word by word, joining changes so that they're readable. */
export function diffWords(before: string, after: string): Piece[] {
  const [old, young] = [wordsOf(before), wordsOf(after)];
  const steps = compare(old, young);
  if (steps === undefined) return replacement(before, after);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  let [gone, come] = ["", ""];
  const flush = (): void => {
    if (gone !== "") pieces.push({ kind: "removed", text: gone });
    if (come !== "") pieces.push({ kind: "added", text: come });
    [gone, come] = ["", ""];
  };
  let common = 0;
  for (const [index, { kind, count }] of steps.entries()) {
    if (kind === "removed") gone += old.slice(i, i + count).join("");
    if (kind === "added") come += young.slice(j, j + count).join("");
    if (kind === "same") {
      const text = old.slice(i, i + count).join("");
      const isBetween = index > 0 && index < steps.length - 1;
      if (isBetween && text.trim() === "" && !text.includes("\n")) {
        // A lone space between two changes belongs to both.
        gone += text;
        come += text;
      } else {
        flush();
        common += text.trim().length;
        pieces.push({ kind, text });
      }
    }
    if (kind !== "added") i += count;
    if (kind !== "removed") j += count;
  }
  flush();
  const most = Math.max(before.trim().length, after.trim().length);
  return common < most * LEAST_COMMON ? replacement(before, after) : pieces;
}

function replacement(before: string, after: string): Piece[] {
  const pieces: Piece[] = [];
  if (before !== "") pieces.push({ kind: "removed", text: before });
  if (after !== "") pieces.push({ kind: "added", text: after });
  return pieces;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Split into words, spaces and symbols; never within an emoji or a letter with combining marks. */
function wordsOf(text: string): string[] {
  // The types promise it, but old web views lack it.
  const Segmenter = (Intl as Partial<typeof Intl>).Segmenter;
  if (Segmenter === undefined) return text.match(/\s+|\S+/g) ?? [];
  const words = new Segmenter(undefined, { granularity: "word" });
  return (text.match(STRETCH) ?? []).flatMap((stretch) => Array.from(words.segment(stretch), (part) => part.segment));
}

function replaceSteps(old: number, young: number): Step[] {
  return [
    { kind: "removed", count: old },
    { kind: "added", count: young },
  ];
}

/** The shortest edit script (Myers); undefined if it's too long. */
function compare(before: readonly string[], after: readonly string[]): Step[] | undefined {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const old = numbered(before.slice(start, before.length - end));
  const middle = walk(old, numbered(after.slice(start, after.length - end), old.known));
  if (middle === undefined) return undefined;
  const steps: Step[] = [{ kind: "same", count: start }, ...middle, { kind: "same", count: end }];
  return steps.filter((step) => step.count > 0);
}

interface Numbered {
  readonly ids: Int32Array;
  readonly known: Map<string, number>;
}

/** Map each distinct text to a number, which compares faster. */
function numbered(texts: readonly string[], known = new Map<string, number>()): Numbered {
  const ids = Int32Array.from(texts, (text) => {
    const id = known.get(text) ?? known.size;
    known.set(text, id);
    return id;
  });
  return { ids, known };
}

function walk({ ids: a }: Numbered, { ids: b }: Numbered): Step[] | undefined {
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const far = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trail.push(far.slice(most - edits, most + edits + 3));
    for (let k = -edits; k <= edits; k += 2) {
      const at = most + 1 + k;
      const down = k === -edits || (k !== edits && (far[at - 1] ?? 0) < (far[at + 1] ?? 0));
      let x = down ? (far[at + 1] ?? 0) : (far[at - 1] ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      far[at] = x;
      if (x >= a.length && x - k >= b.length) return stepsBack(trail, a.length, b.length);
    }
  }
  return undefined;
}

function stepsBack(trail: readonly Int32Array[], length: number, otherLength: number): Step[] {
  const kinds: Piece["kind"][] = [];
  let [x, y] = [length, otherLength];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const far = trail[edits] ?? new Int32Array();
    const at = (k: number): number => far[k + edits + 1] ?? 0;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const from = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : at(from);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      kinds.push("same");
      x--;
      y--;
    }
    if (edits > 0) kinds.push(down ? "added" : "removed");
    [x, y] = [fromX, fromY];
  }
  const steps: { kind: Piece["kind"]; count: number }[] = [];
  for (const kind of kinds.toReversed()) {
    const last = steps.at(-1);
    if (last?.kind === kind) last.count++;
    else steps.push({ kind, count: 1 });
  }
  return steps;
}
