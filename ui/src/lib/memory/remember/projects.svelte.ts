/** The projects that have memories. */

import { api } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class Projects extends Resource<readonly string[]> {
  /** Sorted by name; empty if the daemon is unavailable, since a project can also be typed. */
  readonly known = $derived(this.value ?? []);
  protected override readonly pausesHidden = true;

  protected async read(signal: AbortSignal): Promise<readonly string[]> {
    const { facets } = await api.facets({}, signal);
    return facets.project.flatMap(({ value }) => (value === null ? [] : [value])).sort();
  }
}

const A_DAY_MS = 86_400_000;

/** The project of the latest session, if it was active within a day; empty if there is none. */
export class CurrentProject extends Resource<string> {
  protected override readonly pausesHidden = true;

  protected async read(signal: AbortSignal): Promise<string> {
    const [latest] = (await api.sessions({ limit: 1 }, signal)).sessions;
    const isRecent = latest !== undefined && Date.now() - Date.parse(latest.lastActive) < A_DAY_MS;
    return isRecent ? (latest.project ?? "") : "";
  }
}
