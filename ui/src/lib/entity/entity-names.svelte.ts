/** The names of entities by id, for filters that know only the id. */

import { api } from "$lib/api/client";

class EntityNames {
  #names = $state.raw<ReadonlyMap<string, string>>(new Map());
  readonly #asked = new Set<string>();

  /** The name of an entity; until it is known, the word for one. */
  nameOf(id: string): string {
    const name = this.#names.get(id);
    if (name === undefined) void this.#ask(id);
    return name ?? "…";
  }

  learn(id: string, name: string): void {
    if (this.#names.get(id) !== name) this.#names = new Map([...this.#names, [id, name]]);
  }

  async #ask(id: string): Promise<void> {
    if (this.#asked.has(id)) return;
    this.#asked.add(id);
    try {
      this.learn(id, (await api.entity(id)).entity.name);
    } catch {
      this.learn(id, "Unknown entity");
    }
  }
}

export const entityNames = new EntityNames();
