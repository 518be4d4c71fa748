/** Why a search found a memory, from the raw signals of its result. */

import type { RecallResult } from "$lib/api/client";

import { byStem, wordsOf, type Matcher } from "./highlight";
import { fold, stem } from "./stem";

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

export const MATCH_REASONS: Record<MatchReason, string> = {
  both: "Found by its words and by its meaning",
  meaning: "Found by its meaning",
  words: "Found by its words",
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

/** The matched words as they were asked; a stem that none of them has stays what it is. */
export function matchedQueryWords(matched: readonly string[], query: string): readonly string[] {
  const words = new Map(wordsOf(query).map((word) => [stem(fold(word)), word.toLocaleLowerCase()]));
  return [...new Set(matched.map((one) => words.get(one) ?? one))];
}

/** What to mark in a result: the words that it was found by; without signals, all words of the query. */
export function matcherOf(match: SearchMatch | undefined, query: string): Matcher {
  return byStem(match?.matched ?? wordsOf(query).map((word) => stem(fold(word))));
}
