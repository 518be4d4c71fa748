/** Where a session stood at times, the latest first. */

import { api, type Checkpoint, type SessionDetail } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 300;
const SPACING_MS = 2_000;

type Named = Pick<SessionDetail, "key" | "harness">;

export class SessionCheckpoints extends Resource<Checkpoint[], Named> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;

  protected read(signal: AbortSignal, { key, harness }: Named): Promise<Checkpoint[]> {
    return api.checkpoints(key, harness, signal);
  }

  protected override delay({ topic, ids }: ChangeEvent): number | undefined {
    const isOwn = topic === "harnesses" && this.params !== undefined && ids.includes(this.params.harness);
    return isOwn || topic === "memory" ? GATHER_MS : undefined;
  }
}

/** What a checkpoint says of the graph, in a few words; empty for nothing. */
export function aboutOf(checkpoint: Pick<Checkpoint, "focal_entity_names" | "surfaced_constraint_count">): string {
  const names = checkpoint.focal_entity_names === null ? [] : (JSON.parse(checkpoint.focal_entity_names) as string[]);
  const rules = checkpoint.surfaced_constraint_count;
  const told = rules === 0 ? "" : `${rules.toLocaleString()} always told`;
  return [names.join(", "), told].filter((part) => part !== "").join(" · ");
}
