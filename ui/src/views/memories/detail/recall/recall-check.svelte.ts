/** Whether a question would bring the open memory, at which place, and why. */

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
  /** Its place from 1; undefined where it is not among those that were looked at. */
  readonly rank: number | undefined;
  /** How many were found. */
  readonly of: number;
  /** Its own signals; undefined where neither words nor meaning lead to it. */
  readonly match: SearchMatch | undefined;
  /** The best ones that stand before it. */
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
  /** The memory that the verdict is about. */
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
    const results = await api.search({ q, limit: SEARCH_LIMIT }, signal);
    const index = results.findIndex((result) => result.id === memory.id);
    const own = results[index] ?? (await this.#alone(asked, signal));
    const higher = results.slice(0, index < 0 ? HIGHER_SHOWN : Math.min(index, HIGHER_SHOWN));
    return {
      question: q,
      rank: index < 0 ? undefined : index + 1,
      of: results.length,
      match: own === undefined ? undefined : matchOf(own),
      higher: higher.map((result) => ({ id: result.id, line: lineOf(result.content) })),
    };
  }

  /** Asked among those of its very moment only, it tells its signals however many are better. */
  async #alone({ memory, q }: Question, signal: AbortSignal): Promise<RecallResult | undefined> {
    const { created_at, agent_id, type } = memory;
    const narrow = { since: created_at, until: created_at, agent: agent_id, type };
    const results = await api.search({ q, ...narrow, limit: SEARCH_LIMIT }, signal);
    return results.find((result) => result.id === memory.id);
  }
}

/** Why it stands where it stands, in a sentence. */
export function explainRank(verdict: Verdict, hasVector: boolean): string {
  const { match, rank } = verdict;
  if (match === undefined) {
    return hasVector
      ? "None of the question's words are in it, and it does not mean anything near it."
      : "None of the question's words are in it, and it has no vector yet, so its meaning was not compared.";
  }
  const meaning = match.cosine === null ? "its meaning was not compared" : "";
  const words = match.matched.length === 0 ? "None of the question's words are in it" : "";
  if (rank === undefined) {
    if (words !== "") return meaning === "" ? `${words}, and others are nearer in meaning.` : `${words}, and ${meaning}.`;
    return `It has some of the words, but others answer better${meaning === "" ? "" : `, and ${meaning}`}.`;
  }
  if (words !== "") return `${words}; it is found by its meaning alone.`;
  return meaning === "" ? "Its words and its meaning lead to it." : `Its words lead to it; ${meaning}.`;
}
