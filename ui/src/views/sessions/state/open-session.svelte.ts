/** The open session, kept current by change events. */

import { api, type SessionDetail } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 300;
/** A long transcript is read again each time. */
const SPACING_MS = 2_000;

export class OpenSession extends Resource<SessionDetail, string> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;

  protected read(signal: AbortSignal, id: string): Promise<SessionDetail> {
    return api.session(id, signal);
  }

  protected override delay({ topic, ids }: ChangeEvent): number | undefined {
    if (topic === "harnesses") return this.value === undefined || ids.includes(this.value.harness) ? GATHER_MS : undefined;
    return topic === "memory" || topic === "inbox" || topic === "sessions" ? GATHER_MS : undefined;
  }
}
