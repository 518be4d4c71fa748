/** Memories that match the query of the palette; the newest ones if it is empty. */

import { api } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export interface Hit {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly project: string | null;
}

const TYPING_MS = 120;
const SHOWN = 8;

/** `loadedParams` is the query of the current hits; undefined before the first result. */
export class MemorySearch extends Resource<readonly Hit[], string> {
  get hits(): readonly Hit[] {
    return this.error === undefined ? (this.value ?? []) : [];
  }

  /** Search after a short delay. With `newest`, an empty query lists the newest memories. */
  find(query: string, newest: boolean): void {
    this.stop();
    const q = query.trim();
    if (q !== "" || newest) {
      this.ask(q, q === "" ? 0 : TYPING_MS);
      return;
    }
    this.params = q;
    this.set([]);
  }

  protected async read(signal: AbortSignal, q: string): Promise<readonly Hit[]> {
    if (q !== "") return (await api.search({ q, limit: SHOWN }, signal)).results;
    return (await api.memories({ limit: SHOWN }, signal)).memories;
  }
}
