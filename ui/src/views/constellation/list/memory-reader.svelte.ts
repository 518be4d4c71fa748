/** Reads memories by id, a few at a time, while something shows them. */

import { SvelteMap } from "svelte/reactivity";

import { api, type MemoryRow } from "$lib/api/client";
import { ApiError, isAbort } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { connection } from "$lib/state/connection.svelte";

/** A memory; or that it is forgotten, or couldn't be read. */
export type Reading = MemoryRow | "gone" | "failed";

const MOST_AT_ONCE = 4;
const MOST_KEPT = 2_000;

/** Read a memory. */
export async function readMemory(id: string, signal?: AbortSignal): Promise<Reading> {
  try {
    return await api.memory(id, signal);
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    return thrown instanceof ApiError && thrown.status === 404 ? "gone" : "failed";
  }
}

export class MemoryReader {
  readonly #readings = new SvelteMap<string, Reading>();
  /** How many show each. */
  readonly #wanted = new Map<string, number>();
  /** The newest last, which is read first. */
  #queue: string[] = [];
  readonly #busy = new Set<string>();

  /** What is known of a memory; undefined until it is read. */
  get(id: string): Reading | undefined {
    return this.#readings.get(id);
  }

  /** Read a memory unless it is known; returns a function that tells that it's no longer shown. */
  want(id: string): () => void {
    this.#wanted.set(id, (this.#wanted.get(id) ?? 0) + 1);
    if (!this.#readings.has(id)) this.#read(id);
    return () => {
      const left = (this.#wanted.get(id) ?? 1) - 1;
      if (left > 0) this.#wanted.set(id, left);
      else this.#wanted.delete(id);
    };
  }

  /** Follow changes of memories; returns a function that ends that. */
  start(): () => void {
    return connection.onChange((change) => {
      this.handleChange(change);
    });
  }

  handleChange(change: ChangeEvent | "resync"): void {
    if (change !== "resync" && change.topic !== "memory") return;
    const ids = change === "resync" || change.ids.length === 0 ? [...this.#readings.keys()] : change.ids;
    for (const id of ids) {
      // What is shown stays until it is read again.
      if (this.#wanted.has(id)) this.#read(id);
      else this.#readings.delete(id);
    }
  }

  #read(id: string): void {
    this.#queue = [...this.#queue.filter((one) => one !== id), id];
    this.#next();
  }

  #next(): void {
    while (this.#busy.size < MOST_AT_ONCE) {
      const id = this.#queue.findLast((one) => !this.#busy.has(one));
      if (id === undefined) return;
      this.#queue = this.#queue.filter((one) => one !== id);
      if (this.#wanted.has(id)) void this.#fetch(id);
    }
  }

  async #fetch(id: string): Promise<void> {
    this.#busy.add(id);
    const reading = await readMemory(id);
    this.#busy.delete(id);
    this.#readings.set(id, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > MOST_KEPT && oldest !== undefined && !this.#wanted.has(oldest)) this.#readings.delete(oldest);
    this.#next();
  }
}
