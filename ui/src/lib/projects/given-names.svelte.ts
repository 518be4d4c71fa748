/** The names that the user gave projects, by key, as far as they have been loaded. */

import { SvelteMap } from "svelte/reactivity";

export const givenNames = new SvelteMap<string, string>();

/** Take over the names of a list of projects. */
export function noteNames(rows: readonly { readonly key: string; readonly name: string; readonly named: boolean }[]): void {
  for (const { key, name, named } of rows) {
    if (named) givenNames.set(key, name);
    else givenNames.delete(key);
  }
}
