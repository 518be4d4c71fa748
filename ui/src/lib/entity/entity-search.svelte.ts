/** The entities whose names begin with some words. */

import { api, type EntityListItem } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

const MOST_FOUND = 20;

export class EntitySearch extends Resource<readonly EntityListItem[], string> {
  protected async read(signal: AbortSignal, words: string): Promise<readonly EntityListItem[]> {
    return (await api.entities({ q: words.trim(), limit: MOST_FOUND }, signal)).items;
  }
}
