/** Texts that several kinds of inbox items share. */

import { lineOf } from "$lib/memory/rows";

const SHOWN_CHARS = 48;

/** The text in quotes, truncated. */
export function quoted(content: string): string {
  const line = lineOf(content);
  return line.length > SHOWN_CHARS ? `“${line.slice(0, SHOWN_CHARS)}…”` : `“${line}”`;
}

/** A share of 0 to 1 in percent, rounded down: it never looks as if it had reached a threshold. */
export function percent(share: number): string {
  return `${String(Math.floor(share * 100 + 1e-6))}%`;
}
