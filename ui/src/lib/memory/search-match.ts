/** Why a search found a memory, from the signals of its result. */

import type { RecallResult } from "$lib/api/client";

import { byStem, wordsOf, type Matcher } from "./highlight";
import { fold, stem } from "./stem";

export type MatchReason = "both" | "meaning" | "words";

export interface SearchMatch {
  readonly reason: MatchReason;
  /** The stems of the query words it contains. */
  readonly matched: readonly string[];
  /** The share (0 to 1) of the query that these words cover; rarer words weigh more. */
  readonly coverage: number;
  /** The cosine similarity; null unless both memory and query are embedded. */
  readonly cosine: number | null;
  /** How well the query's words match by meaning, up to about `MAX_MEANING`; null if the model can't tell. */
  readonly meaning: number | null;
  /** What else speaks for it, in plain words. */
  readonly reasons: readonly string[];
  /** Whether it answers the query well enough for sessions and agents. */
  readonly answers: boolean;
}

/** The meaning of a memory that consists of the query's words. */
export const MAX_MEANING = 0.8;

export const MATCH_REASONS: Record<MatchReason, string> = {
  both: "Matches the keywords and is semantically similar",
  meaning: "Semantically similar",
  words: "Matches the keywords",
};

/** Below this, similarity is chance: in a small store, every memory is among the nearest. */
const NEAR = 0.1;

function reasonOf(source: string, matched: readonly string[], cosine: number | null): MatchReason {
  // A retriever may have missed what the other one found, so trust the signals over the source.
  if (matched.length === 0) return source === "keyword" ? "words" : "meaning";
  return source !== "keyword" && (cosine ?? 0) >= NEAR ? "both" : "words";
}

export function matchOf(result: RecallResult): SearchMatch | undefined {
  const { source, explain } = result;
  if (explain === undefined || explain === null) return undefined;
  const { matched, coverage, cosine, meaning, reasons, answers } = explain;
  return { reason: reasonOf(source, matched, cosine), matched, coverage, cosine, meaning, reasons, answers };
}

/** A reason as a sentence without its full stop. */
export function asSentence(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

/** The matched words as typed in the query; a stem without one is kept as is. */
export function matchedQueryWords(matched: readonly string[], query: string): readonly string[] {
  const words = new Map(wordsOf(query).map((word) => [stem(fold(word)), word.toLocaleLowerCase()]));
  return [...new Set(matched.map((one) => words.get(one) ?? one))];
}

/** What to highlight in a result: the matched words; without signals, all words of the query. */
export function matcherOf(match: SearchMatch | undefined, query: string): Matcher {
  return byStem(match?.matched ?? wordsOf(query).map((word) => stem(fold(word))));
}
