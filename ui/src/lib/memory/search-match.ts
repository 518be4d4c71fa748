/** Why a search found a memory, from the raw signals of its result. */

import type { RecallResult } from "$lib/api/client";

export type MatchReason = "both" | "meaning" | "words";

export interface SearchMatch {
  readonly reason: MatchReason;
  /** The question's words that it has, as the index knows them: cut to their stems. */
  readonly matched: readonly string[];
  /** The share (0 to 1) of the question that these words cover, the rarer the more. */
  readonly coverage: number;
  /** The nearness in meaning; null while it has no vector, or the question has none. */
  readonly cosine: number | null;
}

export const MATCH_REASONS: Record<MatchReason, { readonly short: string; readonly sentence: string }> = {
  both: { short: "Words, meaning", sentence: "Found by its words and by its meaning" },
  meaning: { short: "Meaning", sentence: "Found by its meaning" },
  words: { short: "Words", sentence: "Found by its words" },
};

/** Below this, being near is chance: in a small store every memory is among the nearest. */
const NEAR = 0.1;

function reasonOf(source: string, matched: readonly string[], cosine: number | null): MatchReason {
  // Either leg may have missed what the other one brought: the signals say more than the source.
  if (matched.length === 0) return source === "keyword" ? "words" : "meaning";
  return source !== "keyword" && (cosine ?? 0) >= NEAR ? "both" : "words";
}

export function matchOf(result: RecallResult): SearchMatch | undefined {
  const { source, explain } = result;
  if (explain === undefined || explain === null) return undefined;
  const { matched, coverage, cosine } = explain;
  return { reason: reasonOf(source, matched, cosine), matched, coverage, cosine };
}

const LEAST_STEM = 3;

/** Whether a stem stands for a word: the stemmer cuts endings, and turns a last y to i. */
function isStemOf(stem: string, word: string): boolean {
  return word.startsWith(stem) || (stem.length > LEAST_STEM && word.startsWith(stem.slice(0, -1)));
}

/** The matched words as they were asked; a stem that fits none of them stays what it is. */
export function matchedQueryWords(matched: readonly string[], query: string): readonly string[] {
  const words = query.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = matched.map(
    (stem) => words.find((word) => word.startsWith(stem)) ?? words.find((word) => isStemOf(stem, word)) ?? stem,
  );
  return [...new Set(asked)];
}

/** What to mark in the text: only words that count, also in other forms than they were asked in. */
export function highlightWords(match: SearchMatch | undefined, query: string): string {
  if (match === undefined) return query;
  const stems = match.matched.filter((stem) => stem.length >= LEAST_STEM);
  return [...matchedQueryWords(match.matched, query), ...stems].join(" ");
}
