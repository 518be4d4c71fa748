/** Where the words of a search stand in a text. */

export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

const MAX_WORDS = 12;

/** The text in pieces; those that begin like a word of the query are hits. */
export function highlight(text: string, query: string): readonly Piece[] {
  const words = query.match(/[\p{L}\p{N}]+/gu)?.filter((word) => word.length > 1).slice(0, MAX_WORDS);
  if (words === undefined || words.length === 0) return [{ text, isHit: false }];
  const longestFirst = words.toSorted((one, other) => other.length - one.length);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${longestFirst.join("|")})`, "giu");
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isHit: false });
    end = match.index + match[0].length;
    pieces.push({ text: match[0], isHit: true });
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHit: false });
  return pieces;
}
