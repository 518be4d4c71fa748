/** The latest sessions that the open memory was told to, or said in. */

import { api, type SessionRow } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

const SHOWN = 5;

interface ToldReading {
  readonly sessions: readonly SessionRow[];
  readonly hasMore: boolean;
}

export class ToldSessions extends Resource<ToldReading, string | undefined> {
  readonly sessions = $derived(this.value?.sessions ?? []);
  readonly hasMore = $derived(this.value?.hasMore ?? false);

  override clear(): void {
    this.params = undefined;
    super.clear();
  }

  /** Load the sessions of this memory; a reload keeps the current ones meanwhile. */
  async show(id: string): Promise<void> {
    if (id !== this.params) this.clear();
    await this.load(id);
  }

  protected async read(signal: AbortSignal, id: string | undefined): Promise<ToldReading> {
    if (id === undefined) return { sessions: [], hasMore: false };
    const { sessions, cursor } = await api.sessions({ memory: id, limit: SHOWN }, signal);
    return { sessions, hasMore: cursor !== null };
  }

  override handleChange(): void {
    // Sessions that hear of it meanwhile are shown when it is opened again.
  }
}
