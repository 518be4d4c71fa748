/** The memories most similar to the open one. */

import { api, type MemoryRow, type SimilarResult } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";

import { lineOf } from "$lib/memory/rows";
import { Resource, type Phase } from "$lib/state/resource.svelte";

export interface SimilarRow {
  readonly id: string;
  readonly line: string;
  readonly type: string;
  /** The cosine, at most 1. */
  readonly similarity: number;
}

const SHOWN = 5;
/** The cosine below which similarity is likely chance (decision 0030). */
export const MIN_SIMILARITY = 0.3;

export function similarRow(result: SimilarResult): SimilarRow {
  return { id: result.id, line: lineOf(result.content), type: result.type, similarity: result.score };
}

type Memory = Pick<MemoryRow, "id" | "embedding_model">;

interface SimilarReading {
  readonly rows: readonly SimilarRow[];
  /** The highest score, shown or not; undefined without other memories. */
  readonly nearest: number | undefined;
}

export class SimilarMemories extends Resource<SimilarReading | "unknown", Memory | undefined> {
  /** `unknown`: the memory isn't embedded yet. */
  readonly state = $derived<Phase | "unknown">(this.phase === "ready" && this.value === "unknown" ? "unknown" : this.phase);
  readonly rows = $derived(typeof this.value === "object" ? this.value.rows : []);
  readonly nearest = $derived(typeof this.value === "object" ? this.value.nearest : undefined);

  override clear(): void {
    this.params = undefined;
    super.clear();
  }

  /** Load memories similar to this one; a reload keeps the current ones meanwhile. */
  async show(memory: Memory): Promise<void> {
    if (memory.id !== this.params?.id) this.clear();
    await this.load(memory);
  }

  protected async read(signal: AbortSignal, memory: Memory | undefined): Promise<SimilarReading | "unknown"> {
    if (memory === undefined || memory.embedding_model === null) return "unknown";
    try {
      const found = await api.similar(memory.id, SHOWN, signal);
      return { rows: found.map(similarRow).filter((row) => row.similarity >= MIN_SIMILARITY), nearest: found[0]?.score };
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 404) return "unknown";
      throw thrown;
    }
  }

  /** Reload if a listed memory changed; new memories show up when it is opened again. */
  override handleChange(change: ChangeEvent): void {
    if (this.params === undefined || change.topic !== "memory" || typeof this.value !== "object") return;
    if (!this.rows.some((row) => change.ids.includes(row.id))) return;
    if (change.what === "deleted") this.value = { ...this.value, rows: this.rows.filter((row) => !change.ids.includes(row.id)) };
    this.refresh(0);
  }
}
