/**
 * Compares two texts by lines, then by words within changed lines. The work is bounded: a stretch
 * with too many differences counts as replaced.
 */

import { diffArrays } from "diff";

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

export function diffBlocks(before: string, after: string): Block[] {
  const blocks: Block[] = [];
  let [gone, come] = ["", ""];
  const flush = (): void => {
    if (gone !== "" || come !== "") blocks.push({ changed: true, pieces: diffWords(gone, come) });
    [gone, come] = ["", ""];
  };
  for (const piece of compare(linesOf(before), linesOf(after)) ?? replacement(before, after)) {
    if (piece.kind === "removed") gone += piece.text;
    else if (piece.kind === "added") come += piece.text;
    else {
      flush();
      blocks.push({ changed: false, pieces: [piece] });
    }
  }
  flush();
  return blocks;
}

/** Compare word by word, joining changes so that they're readable. */
export function diffWords(before: string, after: string): Piece[] {
  const found = compare(wordsOf(before), wordsOf(after));
  if (found === undefined) return replacement(before, after);
  const pieces: Piece[] = [];
  let [gone, come] = ["", ""];
  const flush = (): void => {
    pieces.push(...replacement(gone, come));
    [gone, come] = ["", ""];
  };
  let common = 0;
  for (const [index, piece] of found.entries()) {
    const { kind, text } = piece;
    const isBetween = index > 0 && index < found.length - 1;
    // A lone space between two changes belongs to both.
    const isShared = kind === "same" && isBetween && text.trim() === "" && !text.includes("\n");
    if (kind === "removed" || isShared) gone += text;
    if (kind === "added" || isShared) come += text;
    if (kind === "same" && !isShared) {
      flush();
      common += text.trim().length;
      pieces.push(piece);
    }
  }
  flush();
  const most = Math.max(before.trim().length, after.trim().length);
  return common < most * LEAST_COMMON ? replacement(before, after) : pieces;
}

function replacement(before: string, after: string): Piece[] {
  const both = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ] as const;
  return both.filter(({ text }) => text !== "");
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

/** The shortest way from one to the other; undefined if it's too long. */
function compare(before: string[], after: string[]): Piece[] | undefined {
  const found = diffArrays(before, after, { maxEditLength: MOST_EDITS });
  return found?.map(({ added, removed, value }) => ({ kind: added ? "added" : removed ? "removed" : "same", text: value.join("") }));
}
