/** The projects that have memories. */

import { api } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class Projects extends Resource<readonly string[]> {
  /** Sorted by name; empty if the daemon is unavailable, since a project can also be typed. */
  readonly known = $derived(this.value ?? []);

  protected async read(signal: AbortSignal): Promise<readonly string[]> {
    const { facets } = await api.facets({}, signal);
    return facets.project.flatMap(({ value }) => (value === null ? [] : [value])).sort();
  }
}
