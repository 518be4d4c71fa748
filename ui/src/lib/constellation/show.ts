/** Leads to the map of memories from what it shows. */

import { router } from "$lib/state/router.svelte";

/** Open the map with a memory opened and centred, or with the memories of an entity lit. */
export function showInConstellation(shown: { readonly m: string } | { readonly entity: string }): void {
  router.go("/constellation", new URLSearchParams({ ...shown }));
}
