/** The pinned entities, for the sidebar and Home. */

import { api, type PinnedEntity } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 200;
const SPACING_MS = 1_000;

export class PinnedEntities extends Resource<readonly PinnedEntity[]> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;
  protected override readonly pausesHidden = true;

  get all(): readonly PinnedEntity[] {
    return this.value ?? [];
  }

  protected read(signal: AbortSignal): Promise<readonly PinnedEntity[]> {
    return api.pinnedEntities(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "entity" ? GATHER_MS : undefined;
  }
}

export const pinnedEntities = new PinnedEntities();
