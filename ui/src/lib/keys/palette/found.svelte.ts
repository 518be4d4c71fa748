/** Memories that answer what is typed in the palette; the newest ones where nothing is typed. */

import { api } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";

export interface Hit {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly project: string | null;
}

const TYPING_MS = 120;
const SHOWN = 8;

export class FoundMemories {
  hits = $state.raw<readonly Hit[]>([]);
  error = $state.raw<ApiError>();
  /** What the hits answer; undefined while nothing has been answered. */
  answered = $state<string>();
  #work = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Ask soon; `newest`: the newest ones where nothing is typed, else none. */
  ask(query: string, newest: boolean): void {
    this.stop();
    const q = query.trim();
    if (q === "" && !newest) {
      this.#answer(q, []);
      return;
    }
    this.#timer = setTimeout(() => void this.#read(q), q === "" ? 0 : TYPING_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#work.abort();
  }

  async #read(q: string): Promise<void> {
    const work = new AbortController();
    this.#work = work;
    try {
      if (q === "") {
        const { memories } = await api.memories({ limit: SHOWN }, work.signal);
        if (!work.signal.aborted) this.#answer(q, memories);
      } else {
        const hits = await api.search({ q, limit: SHOWN }, work.signal);
        if (!work.signal.aborted) this.#answer(q, hits);
      }
    } catch (thrown) {
      if (isAbort(thrown) || work.signal.aborted) return;
      this.hits = [];
      this.error = asApiError(thrown);
    }
  }

  #answer(q: string, hits: readonly Hit[]): void {
    this.answered = q;
    this.hits = hits;
    this.error = undefined;
  }
}
