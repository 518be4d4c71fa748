/** Highlights matching words of a text, always whole ones. */

import { fold, stem } from "./stem";

export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

/** Whether to highlight a word of the text. */
export type Matcher = (word: string) => boolean;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** The words of a text. */
export function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** Match words by stem: "deploys" and "deployed" for "deploi". */
export function byStem(stems: Iterable<string>): Matcher {
  const wanted = new Set(Array.from(stems, fold));
  return (word) => wanted.size > 0 && wanted.has(stem(fold(word)));
}

/** Match words that start with a word of the query. */
export function byStart(query: string): Matcher {
  const starts = wordsOf(query)
    .map(fold)
    .filter((word) => word.length > 1);
  return (word) => starts.some((start) => fold(word).startsWith(start));
}

/** Match the words that a search names, and those that start with a word of its query. */
export function byWords(words: readonly string[], query: string): Matcher {
  const named = new Set(words.flatMap((word) => wordsOf(word)).map(fold));
  const starts = byStart(query);
  return (word) => named.has(fold(word)) || starts(word);
}

/** Split the text into matching words and the text between them. */
export function highlight(text: string, isMatch: Matcher): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isMatch(word)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isHit: false });
    end = index + word.length;
    pieces.push({ text: word, isHit: true });
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end), isHit: false });
  return pieces;
}
