/** What is new in each version; opening it marks all of it as seen. */

import { updateCalls, type Changelog } from "$lib/api/updates";
import { Resource } from "$lib/state/resource.svelte";

export class ChangelogResource extends Resource<Changelog> {
  /** The versions that were new when it was opened: they stay marked when it's read again. */
  readonly #opened = new Set<string>();

  protected async read(signal: AbortSignal): Promise<Changelog> {
    const found = await updateCalls.changelog(signal);
    const unseen = found.releases.filter(({ isNew }) => isNew);
    for (const { version } of unseen) this.#opened.add(version);
    // Whether it's noted as seen changes nothing here, so nobody waits for it.
    if (unseen.length > 0) void updateCalls.markSeen().catch(() => undefined);
    return { ...found, releases: found.releases.map((one) => ({ ...one, isNew: this.#opened.has(one.version) })) };
  }
}
