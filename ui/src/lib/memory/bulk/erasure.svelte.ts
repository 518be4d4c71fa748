/** Erases memories permanently, one or many; a retry continues where it stopped. */

import { api, type MemoryRow } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";

import { CHUNK } from "./bulk-report";

export type ErasableMemory = Pick<MemoryRow, "id" | "content" | "version">;

export class Erasure {
  readonly all: readonly ErasableMemory[];
  working = $state(false);
  error = $state.raw<ApiError>();
  /** External copies that may remain; undefined until all are erased. */
  externalCopies = $state.raw<readonly string[]>();
  /** How many were skipped because they changed since they were shown. */
  skipped = $state(0);
  #remaining = $state.raw<readonly ErasableMemory[]>([]);
  #places: readonly string[] = [];

  constructor(all: readonly ErasableMemory[]) {
    this.all = all;
    this.#remaining = all;
  }

  get done(): number {
    return this.all.length - this.#remaining.length;
  }

  get erased(): number {
    return this.all.length - this.skipped;
  }

  /** Erase the remaining memories, reporting each erased chunk. True if all are done. */
  async run(onerased: (ids: readonly string[]) => void): Promise<boolean> {
    this.working = true;
    this.error = undefined;
    try {
      const [one] = this.all;
      if (one !== undefined && this.all.length === 1) await this.#one(one, onerased);
      else while (this.#remaining.length > 0) await this.#chunk(onerased);
      this.externalCopies = this.#places;
      return true;
    } catch (thrown) {
      this.error = asApiError(thrown);
      return false;
    } finally {
      this.working = false;
    }
  }

  async #one({ id, version }: ErasableMemory, onerased: (ids: readonly string[]) => void): Promise<void> {
    this.#places = (await api.erase(id, "erased in the dashboard", version)).outside ?? [];
    this.#remaining = [];
    onerased([id]);
  }

  async #chunk(onerased: (ids: readonly string[]) => void): Promise<void> {
    const chunk = this.#remaining.slice(0, CHUNK);
    const versions = new Map(chunk.map(({ id, version }) => [id, version]));
    const { outcomes, places } = await api.eraseMany(versions, "erased with others in the dashboard");
    if (places.length > 0) this.#places = places;
    // A missing one was erased before, or its retention period had expired.
    const gone = outcomes.filter(({ status }) => status === "deleted" || status === "not_found").map(({ id }) => id);
    this.skipped += chunk.length - gone.length;
    this.#remaining = this.#remaining.slice(chunk.length);
    onerased(gone);
  }
}
