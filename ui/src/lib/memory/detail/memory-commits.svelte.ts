/** The commits that speak of the open memory, and what became of the places that it names. */

import { api, type MemoryCommits as Reply } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class MemoryCommits extends Resource<Reply, string | undefined> {
  readonly commits = $derived(this.value?.commits ?? []);
  readonly places = $derived(this.value?.places ?? []);

  override clear(): void {
    this.params = undefined;
    super.clear();
  }

  /** Load those of this memory; a reload keeps the current ones meanwhile. */
  async show(id: string): Promise<void> {
    if (id !== this.params) this.clear();
    await this.load(id);
  }

  protected read(signal: AbortSignal, id: string | undefined): Promise<Reply> {
    return id === undefined ? Promise.resolve({ commits: [], places: [] }) : api.memoryCommits(id, signal);
  }

  override handleChange(): void {
    // Commits that are read meanwhile are shown when it is opened again.
  }
}
