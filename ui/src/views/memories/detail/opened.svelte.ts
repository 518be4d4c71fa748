/** The memory that is open beside the list, with its history. */

import { api, type HistoryEvent, type MemoryRow } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";

import { SimilarMemories } from "./similar.svelte";

export class OpenedMemory {
  id = $state<string>();
  phase = $state<"closed" | "loading" | "ready" | "gone" | "failed">("closed");
  /**
   * The memory; while the next one loads, still the one before, so that nothing flickers. It stays
   * when it is lost, too: somebody may be editing it, and what they typed is not lost with it.
   */
  row = $state.raw<MemoryRow>();
  history = $state.raw<readonly HistoryEvent[]>([]);
  error = $state.raw<ApiError>();
  readonly similar = new SimilarMemories();
  #work = new AbortController();

  /** Show a memory, or none. */
  async show(id: string | undefined): Promise<void> {
    if (id === this.id && this.phase !== "failed") return;
    this.id = id;
    if (id === undefined) {
      this.#work.abort();
      this.phase = "closed";
      this.row = undefined;
      this.history = [];
      this.similar.clear();
      return;
    }
    this.phase = "loading";
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const { id } = this;
    if (id === undefined) return;
    this.#work.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      const [row, history] = await Promise.all([
        api.memory(id, work.signal),
        api.history(id, work.signal),
      ]);
      if (work.signal.aborted) return;
      this.row = row;
      this.history = history;
      this.error = undefined;
      this.phase = "ready";
      // Not waited for: the memory is read first.
      void this.similar.show(row);
    } catch (thrown) {
      if (isAbort(thrown) || work.signal.aborted) return;
      const error = asApiError(thrown);
      // What was read before is better than nothing; it is read anew with the next change.
      if (this.phase === "ready" && error.status !== 404) return;
      this.error = error;
      this.similar.clear();
      this.phase = error.status === 404 ? "gone" : "failed";
    }
  }

  #lose(): void {
    this.#work.abort();
    this.similar.clear();
    this.phase = "gone";
  }

  hear(change: Changed | "resync"): void {
    if (this.id === undefined) return;
    if (change === "resync") void this.refresh();
    else if (change.ids.includes(this.id)) {
      if (change.room === "embeddings") void this.refresh();
      else if (change.room !== "memory") return;
      else if (change.what === "deleted") this.#lose();
      else void this.refresh();
    } else this.similar.hear(change);
  }
}
