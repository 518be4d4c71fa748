/** How far the memories have vectors, and whether searching by meaning works. */

import { api, type EmbeddingStatus } from "$lib/api/client";
import type { Changed } from "$lib/api/live";

import { session } from "./session.svelte";

export type Standing =
  | { readonly kind: "quiet" }
  | { readonly kind: "working"; readonly embedded: number; readonly total: number }
  | { readonly kind: "trouble"; readonly detail: string; readonly meanwhile: string };

/** Counting costs the daemon something: at most once in this time. */
const LEAST_MS = 1_000;
/** What is not settled is asked again though nothing was told: a provider that is back says nothing. */
const UNSETTLED_MS = 5_000;

const BROKEN = ["damaged", "failing"];

/** What there is to say; nothing while no model is set up, or every memory has its vector. */
export function standing(status: EmbeddingStatus | null | undefined): Standing {
  if (status === null || status === undefined) return { kind: "quiet" };
  const { embedded, total, pending, phase, detail, searchedMeanwhile: meanwhile } = status;
  if (!status.available || BROKEN.includes(phase)) {
    return { kind: "trouble", detail: detail === "" ? `The model is ${phase}.` : detail, meanwhile };
  }
  if (pending > 0 && embedded < total) return { kind: "working", embedded, total };
  return { kind: "quiet" };
}

export class Embedding {
  /** Undefined until it is known; null where no model is set up. */
  status = $state.raw<EmbeddingStatus | null>();
  readonly standing = $derived(standing(this.status));
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = 0;
  #readAt = -Infinity;

  /** Nothing has a vector, nor will it have one. */
  get isOff(): boolean {
    return this.status === null;
  }

  /** Ask now and after each change; returns what ends it. */
  start(): () => void {
    const silence = session.onChange((change) => { this.hear(change); });
    this.#want(0);
    return () => {
      silence();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  hear(change: Changed | "resync"): void {
    if (change === "resync" || change.room === "embeddings") this.#want(0);
    // A single memory has its vector before one would read that it lacks it.
    else if (change.room === "memory") this.#want(LEAST_MS);
  }

  #want(wait: number): void {
    const now = Date.now();
    const due = Math.max(now + wait, this.#readAt + LEAST_MS);
    if (this.#timer !== undefined && this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#read();
    }, due - now);
  }

  async #read(): Promise<void> {
    this.#readAt = Date.now();
    try {
      this.status = await api.embedding();
    } catch {
      // The link shows a daemon that does not answer, and its return asks for a resync.
      return;
    }
    if (this.standing.kind !== "quiet") this.#want(UNSETTLED_MS);
  }
}

export const embedding = new Embedding();
