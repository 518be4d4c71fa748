/** What is new in each version; opening it marks all of it as seen. */

import { updateCalls, type Changelog } from "$lib/api/updates";
import { Resource } from "$lib/state/resource.svelte";

export class ChangelogResource extends Resource<Changelog> {
  protected async read(signal: AbortSignal): Promise<Changelog> {
    const found = await updateCalls.changelog(signal);
    // Whether it's noted as seen changes nothing here, so nobody waits for it.
    if (found.releases.some(({ isNew }) => isNew)) void updateCalls.markSeen().catch(() => undefined);
    return found;
  }
}
