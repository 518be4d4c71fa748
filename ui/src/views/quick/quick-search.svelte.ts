/** Searching while someone types: the newest question wins, and nothing asked is the newest list. */

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
  /** Whether the text goes on beyond what was sent. */
  readonly isCut: boolean;
  /** The words to mark in the text. */
  readonly matcher: Matcher;
}

const WAIT_MS = 120;
const SHOWN = 12;

/** `answered` is the question that the hits answer; undefined until the first answer. */
export class QuickSearch extends Resource<readonly Hit[], string> {
  query = $state("");
  active = $state(0);
  /** What to do with the best one as soon as the answer is there. */
  #eager: ((id: string) => void) | undefined;
  /** Somebody chose among the hits since they last typed. */
  #isChosen = false;
  /** The one to stay with, where the same is asked anew. */
  #kept: string | undefined;
  readonly #whole = new Map<string, string>();

  get hits(): readonly Hit[] {
    return this.value ?? [];
  }

  get chosen(): Hit | undefined {
    return this.hits[this.active];
  }

  /** Search for this from the start. */
  start(query: string): () => void {
    this.query = query;
    this.params = query.trim();
    return this.subscribe();
  }

  /** Take in what was typed; asked a moment later. */
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

  /** Open the chosen one; while what is shown answers an older question, the best one of the answer that comes. */
  open(how: (id: string) => void): void {
    const waits = this.loadedParams !== this.params && this.error === undefined;
    if (waits && !this.#isChosen) this.#eager = how;
    else if (this.chosen !== undefined) how(this.chosen.id);
  }

  protected async read(signal: AbortSignal, query: string): Promise<readonly Hit[]> {
    const hits = await read(query, signal);
    this.#kept = this.loadedParams === query ? this.chosen?.id : undefined;
    return hits;
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" ? 0 : undefined;
  }

  protected override settled(outcome: Outcome): void {
    const eager = this.#eager;
    this.#eager = undefined;
    if (outcome === "failed") return;
    this.active = Math.max(0, this.hits.findIndex((hit) => hit.id === this.#kept));
    // It may have changed since it was fetched.
    this.#whole.clear();
    if (eager !== undefined && this.chosen !== undefined) eager(this.chosen.id);
  }

  /** The chosen memory's whole text; undefined while it has to be fetched first. */
  get text(): string | undefined {
    const hit = this.chosen;
    if (hit === undefined) return undefined;
    return hit.isCut ? this.#whole.get(hit.id) : hit.content;
  }

  /** Fetch what was cut, so that it can be copied at once. */
  async fetchWhole(): Promise<void> {
    const hit = this.chosen;
    if (hit?.isCut !== true || this.#whole.has(hit.id)) return;
    try {
      this.#whole.set(hit.id, (await api.memory(hit.id)).content);
    } catch {
      // Copying says so when it is asked for.
    }
  }
}

async function read(query: string, signal: AbortSignal): Promise<Hit[]> {
  if (query === "") {
    const { memories } = await api.memories({ limit: SHOWN }, signal);
    return memories.map((memory) => ({ ...shared(memory), isCut: false, matcher: byStem([]) }));
  }
  const results = await api.search({ q: query, limit: SHOWN }, signal);
  return results.map((result) => ({
    ...shared(result),
    isCut: result.truncated,
    matcher: matcherOf(matchOf(result), query),
  }));
}

function shared(memory: {
  id: string;
  content: string;
  type: string;
  project: string | null;
  created_at: string;
}): Omit<Hit, "isCut" | "matcher"> {
  const { id, content, type, project } = memory;
  return { id, content, type, project, createdAt: memory.created_at };
}
