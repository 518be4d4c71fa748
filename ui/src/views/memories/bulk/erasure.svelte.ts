/** Erasing memories for good, one or many: what is done stays done, and is not asked again. */

import { api, type MemoryRow } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";

import { CHUNK } from "./bulk-report";

export type ErasableMemory = Pick<MemoryRow, "id" | "content" | "version">;

export class Erasure {
  readonly all: readonly ErasableMemory[];
  working = $state(false);
  error = $state.raw<ApiError>();
  /** What may still hold their words; undefined until the last is done. */
  externalCopies = $state.raw<readonly string[]>();
  /** Those that somebody changed after they were shown: they stay. */
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

  /** Erase what is not done yet; each chunk that is gone is told. True where all is done. */
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
    // One that is not there has left nothing either: it was erased before, or its time was over.
    const gone = outcomes.filter(({ status }) => status === "deleted" || status === "not_found").map(({ id }) => id);
    this.skipped += chunk.length - gone.length;
    this.#remaining = this.#remaining.slice(chunk.length);
    onerased(gone);
  }
}
