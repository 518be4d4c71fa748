/** Embedding progress, and whether semantic search works. */

import { api, type EmbeddingStatus } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Resource } from "./resource.svelte";

export type EmbeddingState =
  | { readonly kind: "quiet" }
  | { readonly kind: "working"; readonly embedded: number; readonly total: number }
  | { readonly kind: "trouble"; readonly detail: string; readonly fallbackModel: string };

/** Counting is costly: poll no more often than this. */
const MIN_INTERVAL_MS = 1_000;
/** Poll while embedding runs or fails: a recovered provider sends no event. */
const POLL_MS = 5_000;

const BROKEN = ["damaged", "failing"];

/** What to report; `quiet` if no model is set up or everything is embedded. */
export function embeddingState(status: EmbeddingStatus | null | undefined): EmbeddingState {
  if (status === null || status === undefined) return { kind: "quiet" };
  const { embedded, total, pending, phase, detail, searchedMeanwhile: fallbackModel } = status;
  if (!status.available || BROKEN.includes(phase)) {
    return { kind: "trouble", detail: detail === "" ? `The embedding model is ${phase}.` : detail, fallbackModel };
  }
  if (pending > 0 && embedded < total) return { kind: "working", embedded, total };
  return { kind: "quiet" };
}

export class Embedding extends Resource<EmbeddingStatus | null> {
  protected override readonly spacingMs = MIN_INTERVAL_MS;
  readonly summary = $derived(embeddingState(this.value));

  /** Undefined until loaded; null if no model is set up. */
  get status(): EmbeddingStatus | null | undefined {
    return this.value;
  }

  /** No embedding model is set up. */
  get isOff(): boolean {
    return this.value === null;
  }

  protected read(signal: AbortSignal): Promise<EmbeddingStatus | null> {
    return api.embedding(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    if (topic === "embeddings") return 0;
    // A single new memory is embedded before its absence could be noticed.
    return topic === "memory" ? MIN_INTERVAL_MS : undefined;
  }

  protected override interval(): number | undefined {
    return this.summary.kind === "quiet" ? undefined : POLL_MS;
  }
}

export const embedding = new Embedding();
