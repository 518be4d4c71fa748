/** How far the memories have vectors, and whether searching by meaning works. */

import { api, type EmbeddingStatus } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Resource } from "./resource.svelte";

export type EmbeddingState =
  | { readonly kind: "quiet" }
  | { readonly kind: "working"; readonly embedded: number; readonly total: number }
  | { readonly kind: "trouble"; readonly detail: string; readonly fallbackModel: string };

/** Counting costs the daemon something: at most once in this time. */
const LEAST_MS = 1_000;
/** What is not settled is asked again though nothing was told: a provider that is back says nothing. */
const UNSETTLED_MS = 5_000;

const BROKEN = ["damaged", "failing"];

/** What there is to say; nothing while no model is set up, or every memory has its vector. */
export function embeddingState(status: EmbeddingStatus | null | undefined): EmbeddingState {
  if (status === null || status === undefined) return { kind: "quiet" };
  const { embedded, total, pending, phase, detail, searchedMeanwhile: fallbackModel } = status;
  if (!status.available || BROKEN.includes(phase)) {
    return { kind: "trouble", detail: detail === "" ? `The model is ${phase}.` : detail, fallbackModel };
  }
  if (pending > 0 && embedded < total) return { kind: "working", embedded, total };
  return { kind: "quiet" };
}

export class Embedding extends Resource<EmbeddingStatus | null> {
  protected override readonly spacingMs = LEAST_MS;
  readonly summary = $derived(embeddingState(this.value));

  /** Undefined until it is known; null where no model is set up. */
  get status(): EmbeddingStatus | null | undefined {
    return this.value;
  }

  /** Nothing has a vector, nor will it have one. */
  get isOff(): boolean {
    return this.value === null;
  }

  protected read(signal: AbortSignal): Promise<EmbeddingStatus | null> {
    return api.embedding(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    if (topic === "embeddings") return 0;
    // A single memory has its vector before one would read that it lacks it.
    return topic === "memory" ? LEAST_MS : undefined;
  }

  protected override interval(): number | undefined {
    return this.summary.kind === "quiet" ? undefined : UNSETTLED_MS;
  }
}

export const embedding = new Embedding();
