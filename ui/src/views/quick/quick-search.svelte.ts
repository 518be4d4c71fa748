/** Search as you type: the newest query wins; an empty one lists the newest memories. */

import { api } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";

import { matchOf, matcherOf } from "$lib/memory/search-match";
import { byStem, type Matcher } from "$lib/memory/highlight";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

export interface Hit {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly project: string | null;
  readonly createdAt: string;
  /** Whether the text is truncated. */
  readonly isCut: boolean;
  /** The words to highlight. */
  readonly matcher: Matcher;
  /** What else speaks for it, in plain words. */
  readonly reasons: readonly string[];
}

interface Answer {
  readonly hits: readonly Hit[];
  /** How many weaker matches were left out. */
  readonly weaker: number;
}

const WAIT_MS = 120;
const SHOWN = 12;

/** `loadedParams` is the query of the current hits; undefined before the first result. */
export class QuickSearch extends Resource<Answer, string> {
  query = $state("");
  active = $state(0);
  /** Called with the best hit once results arrive. */
  #eager: ((id: string) => void) | undefined;
  /** Whether the user moved the selection since typing. */
  #isChosen = false;
  /** The hit to keep selected when the same query is reloaded. */
  #kept: string | undefined;
  /** The query that weaker matches were asked for. */
  #withWeaker: string | undefined;
  readonly #whole = new Map<string, string>();

  get hits(): readonly Hit[] {
    return this.value?.hits ?? [];
  }

  get weaker(): number {
    return this.value?.weaker ?? 0;
  }

  get chosen(): Hit | undefined {
    return this.hits[this.active];
  }

  /** Start with this query; returns a function that stops. */
  start(query: string): () => void {
    this.query = query;
    this.params = query.trim();
    return this.subscribe();
  }

  /** Search for the typed text after a short delay. */
  type(query: string): void {
    this.query = query;
    this.#eager = undefined;
    this.#isChosen = false;
    this.ask(query.trim(), WAIT_MS);
  }

  move(step: number): void {
    const last = this.hits.length - 1;
    if (last >= 0) this.choose(Math.min(last, Math.max(0, this.active + step)));
  }

  choose(index: number): void {
    this.active = index;
    this.#eager = undefined;
    this.#isChosen = true;
  }

  /** Open the selected hit; if the hits are outdated, open the best one of the pending results. */
  open(how: (id: string) => void): void {
    const waits = this.loadedParams !== this.params && this.error === undefined;
    if (waits && !this.#isChosen) this.#eager = how;
    else if (this.chosen !== undefined) how(this.chosen.id);
  }

  protected async read(signal: AbortSignal, query: string): Promise<Answer> {
    const answer = await read(query, this.#withWeaker === query, signal);
    this.#kept = this.loadedParams === query ? this.chosen?.id : undefined;
    return answer;
  }

  /** Search again, and list weaker matches too. */
  showWeaker(): void {
    this.#withWeaker = this.params;
    this.ask(this.params ?? "", 0);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" ? 0 : undefined;
  }

  protected override settled(outcome: Outcome): void {
    const eager = this.#eager;
    this.#eager = undefined;
    if (outcome === "failed") return;
    this.active = Math.max(
      0,
      this.hits.findIndex((hit) => hit.id === this.#kept),
    );
    // The texts may have changed since.
    this.#whole.clear();
    if (eager !== undefined && this.chosen !== undefined) eager(this.chosen.id);
  }

  /** The full text of the selected memory; undefined until it is loaded. */
  get text(): string | undefined {
    const hit = this.chosen;
    if (hit === undefined) return undefined;
    return hit.isCut ? this.#whole.get(hit.id) : hit.content;
  }

  /** Load the full text of a truncated hit, so that it can be copied. */
  async fetchWhole(): Promise<void> {
    const hit = this.chosen;
    if (hit?.isCut !== true || this.#whole.has(hit.id)) return;
    try {
      this.#whole.set(hit.id, (await api.memory(hit.id)).content);
    } catch {
      // Copying reports it.
    }
  }
}

async function read(query: string, withWeaker: boolean, signal: AbortSignal): Promise<Answer> {
  if (query === "") {
    const { memories } = await api.memories({ limit: SHOWN }, signal);
    const hits = memories.map((memory) => ({ ...shared(memory), isCut: false, matcher: byStem([]), reasons: [] }));
    return { hits, weaker: 0 };
  }
  const asked = { q: query, limit: SHOWN };
  const { results, weaker } = await api.search(withWeaker ? { ...asked, min_score: 0 } : asked, signal);
  const hits = results.map((result) => {
    const match = matchOf(result);
    return { ...shared(result), isCut: result.truncated, matcher: matcherOf(match, query), reasons: match?.reasons ?? [] };
  });
  return { hits, weaker };
}

function shared(memory: {
  id: string;
  content: string;
  type: string;
  project: string | null;
  created_at: string;
}): Omit<Hit, "isCut" | "matcher" | "reasons"> {
  const { id, content, type, project } = memory;
  return { id, content, type, project, createdAt: memory.created_at };
}
