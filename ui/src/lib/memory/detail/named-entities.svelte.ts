/** The entities that the open memory names or is about. */

import { api, type EntityListItem } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

const MOST_SHOWN = 40;

export class NamedEntities extends Resource<readonly EntityListItem[], string | undefined> {
  readonly items = $derived(this.value ?? []);

  override clear(): void {
    this.params = undefined;
    super.clear();
  }

  /** Load the entities of this memory; a reload keeps the current ones meanwhile. */
  async show(id: string): Promise<void> {
    if (id !== this.params) this.clear();
    await this.load(id);
  }

  protected async read(signal: AbortSignal, id: string | undefined): Promise<readonly EntityListItem[]> {
    return id === undefined ? [] : (await api.entities({ memoryId: id, limit: MOST_SHOWN }, signal)).items;
  }

  override handleChange(): void {
    // The memory is read again when it changes, and its entities with it.
  }
}
