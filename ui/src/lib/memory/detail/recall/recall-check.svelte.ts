/** Checks at which rank a query finds the open memory, and why. */

import { api, type MemoryRow, type RecallResult } from "$lib/api/client";
import { matchOf, type SearchMatch } from "$lib/memory/search-match";
import { lineOf } from "$lib/memory/rows";
import { Resource } from "$lib/state/resource.svelte";

export interface HigherRanked {
  readonly id: string;
  readonly line: string;
}

export interface Verdict {
  readonly question: string;
  /** Its rank from 1, among the weaker matches too if it is one; undefined if it isn't found. */
  readonly rank: number | undefined;
  /** The number of results that it is ranked among. */
  readonly of: number;
  /** Whether it was found but left out, because it doesn't answer the query well enough. */
  readonly isLeftOut: boolean;
  /** Its match signals; undefined if neither retriever found it. */
  readonly match: SearchMatch | undefined;
  /** The best results ranked above it. */
  readonly higher: readonly HigherRanked[];
}

export const SEARCH_LIMIT = 200;
const HIGHER_SHOWN = 3;

type Memory = Pick<MemoryRow, "id" | "created_at" | "agent_id" | "type">;

interface Question {
  readonly memory: Memory;
  readonly q: string;
}

export class RecallCheck extends Resource<Verdict | undefined, Question | undefined> {
  /** The ID of the checked memory. */
  get of(): string | undefined {
    return this.params?.memory.id;
  }

  override clear(): void {
    this.params = undefined;
    super.clear();
  }

  async check(memory: Memory, question: string): Promise<void> {
    const q = question.trim();
    if (q === "") this.clear();
    else await this.load({ memory, q });
  }

  protected async read(signal: AbortSignal, asked: Question | undefined): Promise<Verdict | undefined> {
    if (asked === undefined) return undefined;
    const { memory, q } = asked;
    const found = (await api.search({ q, limit: SEARCH_LIMIT, min_score: 0 }, signal)).results;
    const isLeftOut = found.some((result) => result.id === memory.id && !answers(result));
    const results = isLeftOut ? found : found.filter((result) => answers(result));
    const index = results.findIndex((result) => result.id === memory.id);
    const own = results[index] ?? (await this.#alone(asked, signal));
    const higher = results.slice(0, index < 0 ? HIGHER_SHOWN : Math.min(index, HIGHER_SHOWN));
    return {
      question: q,
      rank: index < 0 ? undefined : index + 1,
      of: results.length,
      isLeftOut,
      match: own === undefined ? undefined : matchOf(own),
      higher: higher.map((result) => ({ id: result.id, line: lineOf(result.content) })),
    };
  }

  /** Get its signals by a search limited to its timestamp, however low it ranks. */
  async #alone({ memory, q }: Question, signal: AbortSignal): Promise<RecallResult | undefined> {
    const { created_at, agent_id, type } = memory;
    const narrow = { since: created_at, until: created_at, agent: agent_id, type };
    const { results } = await api.search({ q, ...narrow, limit: SEARCH_LIMIT, min_score: 0 }, signal);
    return results.find((result) => result.id === memory.id);
  }
}

function answers(result: RecallResult): boolean {
  return result.explain?.answers ?? true;
}

/** An explanation of the rank. */
export function explainRank(verdict: Verdict, hasVector: boolean): string {
  const { match, rank, isLeftOut } = verdict;
  if (isLeftOut) return "Sessions and agents don't get it, because it doesn't answer the query well enough.";
  if (match === undefined) {
    return hasVector
      ? "It contains none of the query's words and isn't semantically similar."
      : "It contains none of the query's words and isn't embedded yet, so semantic search can't find it.";
  }
  const meaning = match.cosine === null ? "semantic similarity wasn't compared" : "";
  const words = match.matched.length === 0 ? "It contains none of the query's words" : "";
  if (rank === undefined) {
    if (words !== "") return meaning === "" ? `${words}, and others are more similar.` : `${words}, and ${meaning}.`;
    return `It contains some of the words, but others match better${meaning === "" ? "" : `, and ${meaning}`}.`;
  }
  if (words !== "") return `${words}; semantic search found it.`;
  return meaning === "" ? "Both keywords and semantic similarity match." : `Its keywords match; ${meaning}.`;
}
