/** The open memory with its evidence, history and similar memories. */

import { api, type Evidence, type HistoryEvent, type MemoryRow } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource, type Outcome, type Phase } from "$lib/state/resource.svelte";

import { MemoryCommits } from "./memory-commits.svelte";
import { NamedEntities } from "./named-entities.svelte";
import { SimilarMemories } from "./similar/similar-memories.svelte";
import { ToldSessions } from "./told-sessions.svelte";

interface MemoryReading {
  readonly row: MemoryRow | undefined;
  readonly history: readonly HistoryEvent[];
  /** What the user said that it is based on. */
  readonly evidence: readonly Evidence[];
  /** It is forgotten. The row stays, so that unsaved edits aren't lost. */
  readonly isGone: boolean;
}

const NO_MEMORY: MemoryReading = { row: undefined, history: [], evidence: [], isGone: false };

export class OpenMemory extends Resource<MemoryReading, string | undefined> {
  readonly similar = new SimilarMemories();
  readonly told = new ToldSessions();
  readonly entities = new NamedEntities();
  readonly commits = new MemoryCommits();
  readonly state = $derived.by((): Phase | "closed" | "gone" => {
    if (this.params === undefined) return "closed";
    return this.phase === "ready" && this.value?.isGone === true ? "gone" : this.phase;
  });

  get id(): string | undefined {
    return this.params;
  }

  /** The memory; while another one loads, still the previous one, to avoid flicker. */
  get row(): MemoryRow | undefined {
    return this.value?.row;
  }

  get history(): readonly HistoryEvent[] {
    return this.value?.history ?? [];
  }

  get evidence(): readonly Evidence[] {
    return this.value?.evidence ?? [];
  }

  /** Open a memory, or close it with undefined. */
  async show(id: string | undefined): Promise<void> {
    if (id === this.id && this.phase !== "failed") return;
    if (id !== undefined) {
      await this.reload(id);
      return;
    }
    this.params = undefined;
    this.clear();
    this.similar.clear();
    this.told.clear();
    this.entities.clear();
    this.commits.clear();
  }

  protected async read(signal: AbortSignal, id: string | undefined): Promise<MemoryReading> {
    if (id === undefined) return NO_MEMORY;
    try {
      const [row, history, evidence] = await Promise.all([api.memory(id, signal), api.history(id, signal), api.evidence(id, signal)]);
      return { row, history, evidence, isGone: false };
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 404) return this.#gone;
      throw thrown;
    }
  }

  get #gone(): MemoryReading {
    return { ...(this.value ?? NO_MEMORY), isGone: true };
  }

  protected override settled(outcome: Outcome): void {
    const { row, isGone } = this.value ?? NO_MEMORY;
    if (outcome === "failed" && this.phase === "ready") return;
    // Not awaited: the memory itself has priority.
    if (outcome === "ready" && row !== undefined && !isGone) {
      void this.similar.show(row);
      void this.told.show(row.id);
      void this.entities.show(row.id);
      void this.commits.show(row.id);
    } else {
      this.similar.clear();
      this.told.clear();
      this.entities.clear();
      this.commits.clear();
    }
  }

  protected override delay({ topic, ids }: ChangeEvent): number | undefined {
    if (this.id === undefined || !ids.includes(this.id)) return undefined;
    return topic === "memory" || topic === "embeddings" ? 0 : undefined;
  }

  override handleChange(change: ChangeEvent | "resync"): void {
    if (this.id === undefined) return;
    if (change === "resync" || !change.ids.includes(this.id)) {
      if (change !== "resync") this.similar.handleChange(change);
      else super.handleChange(change);
    } else if (change.topic === "memory" && change.what === "deleted") {
      this.stop();
      this.set(this.#gone);
      this.similar.clear();
    } else super.handleChange(change);
  }
}
