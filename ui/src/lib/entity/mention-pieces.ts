/** Cuts a text at its mentions, whose offsets count code points. */

import type { Piece } from "$lib/memory/highlight";

interface Span {
  /** In code points, the end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** How much is shown before the first mention of an excerpt. */
const LEAD_CHARS = 60;

/** Split the text into mentions and what is between them; spans that overlap become one. */
export function mentionPieces(text: string, spans: readonly Span[]): readonly Piece[] {
  const points = Array.from(text);
  const pieces: Piece[] = [];
  let at = 0;
  const put = (to: number, isHit: boolean): void => {
    if (to <= at) return;
    const piece = points.slice(at, to).join("");
    const last = pieces.at(-1);
    if (last?.isHit === isHit) pieces[pieces.length - 1] = { text: last.text + piece, isHit };
    else pieces.push({ text: piece, isHit });
    at = to;
  };
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const from = Math.min(Math.max(start, at), points.length);
    put(from, false);
    put(Math.min(end, points.length), true);
  }
  put(points.length, false);
  return pieces;
}

/** The pieces of one line around the first mention, at most `most` characters of the text. */
export function excerptPieces(text: string, spans: readonly Span[], most: number): readonly Piece[] {
  const points = Array.from(text);
  if (points.length <= most) return mentionPieces(text, spans);
  const first = Math.min(...spans.map(({ start }) => start), points.length);
  const from = first + LEAD_CHARS > most && spans.length > 0 ? Math.min(Math.max(0, first - LEAD_CHARS), points.length - most) : 0;
  const to = Math.min(points.length, from + most);
  const own = spans
    .map(({ start, end }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }))
    .filter(({ start, end }) => end > start);
  const pieces = mentionPieces(points.slice(from, to).join(""), own);
  return [...(from > 0 ? [{ text: "…", isHit: false }] : []), ...pieces, ...(to < points.length ? [{ text: "…", isHit: false }] : [])];
}
