/** The projects that have memories, to choose from. */

import { api } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class Projects extends Resource<readonly string[]> {
  /** By name; none where the daemon does not answer: one can be typed all the same. */
  readonly known = $derived(this.value ?? []);

  protected async read(signal: AbortSignal): Promise<readonly string[]> {
    const { facets } = await api.facets({}, signal);
    return facets.project.flatMap(({ value }) => (value === null ? [] : [value])).sort();
  }
}
