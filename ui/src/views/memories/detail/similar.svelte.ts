/** The memories that mean nearly the same as the open one. */

import { api, type MemoryRow, type SimilarResult } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";

import { lineOf } from "$lib/memory/rows";

export interface SimilarRow {
  readonly id: string;
  readonly line: string;
  readonly type: string;
  /** The cosine, at most 1. */
  readonly nearness: number;
}

const SHOWN = 5;
/** The cosine below which two memories are near by chance: decision 0030. */
export const NEAR = 0.3;

function rowOf(result: SimilarResult): SimilarRow {
  return { id: result.id, line: lineOf(result.content), type: result.type, nearness: result.score };
}

export class SimilarMemories {
  /** `unknown`: the memory has no vector yet. */
  phase = $state<"loading" | "ready" | "unknown" | "failed">("loading");
  rows = $state.raw<readonly SimilarRow[]>([]);
  /** How near the nearest is, shown or not; undefined where there is none. */
  nearest = $state<number>();
  error = $state.raw<ApiError>();
  #of: string | undefined;
  #work = new AbortController();

  clear(): void {
    this.#work.abort();
    this.#of = undefined;
    this.#set("loading");
  }

  /** Find what is near this memory; what is shown of the same memory stays meanwhile. */
  async show(memory: Pick<MemoryRow, "id" | "embedding_model">): Promise<void> {
    if (memory.id !== this.#of) this.clear();
    this.#of = memory.id;
    if (memory.embedding_model === null) {
      this.#work.abort();
      this.#set("unknown");
    } else await this.#read(memory.id);
  }

  async retry(): Promise<void> {
    if (this.#of === undefined) return;
    this.#set("loading");
    await this.#read(this.#of);
  }

  /** One of the near ones was changed or forgotten; a new one is seen when it is opened anew. */
  hear(change: Changed): void {
    if (this.#of === undefined || change.room !== "memory") return;
    if (!this.rows.some((row) => change.ids.includes(row.id))) return;
    if (change.what === "deleted") this.rows = this.rows.filter((row) => !change.ids.includes(row.id));
    void this.#read(this.#of);
  }

  async #read(id: string): Promise<void> {
    this.#work.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      const found = await api.similar(id, SHOWN, work.signal);
      if (work.signal.aborted) return;
      this.#set("ready", found.map(rowOf).filter((row) => row.nearness >= NEAR));
      this.nearest = found[0]?.score;
    } catch (thrown) {
      if (isAbort(thrown) || work.signal.aborted) return;
      const error = asApiError(thrown);
      if (error.status === 404) this.#set("unknown");
      else this.#set("failed", [], error);
    }
  }

  #set(phase: SimilarMemories["phase"], rows: readonly SimilarRow[] = [], error?: ApiError): void {
    this.phase = phase;
    this.rows = rows;
    this.nearest = undefined;
    this.error = error;
  }
}
