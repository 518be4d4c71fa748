/** How many inbox items wait for a decision, for the sidebar. */

import { api, type InboxCounts } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Resource } from "./resource.svelte";

const GATHER_MS = 150;

export class InboxCount extends Resource<InboxCounts> {
  protected override readonly resyncMs = GATHER_MS;

  /** 0 until loaded, and while it can't be. */
  get open(): number {
    return this.value?.open ?? 0;
  }

  protected read(signal: AbortSignal): Promise<InboxCounts> {
    return api.inboxCounts(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "inbox" ? GATHER_MS : undefined;
  }
}

export const inboxCount = new InboxCount();
