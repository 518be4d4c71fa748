/** The sources that were taken back. */

import type { ChangeEvent } from "$lib/api/event-stream";
import { sourceApi, type MemorySource, type SourceRemoval } from "$lib/api/sources";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 200;

export class TakenBackSources extends Resource<readonly SourceRemoval[]> {
  protected override readonly resyncMs = GATHER_MS;

  /** The newest removal of a source that isn't undone. */
  of({ kind, id }: MemorySource): SourceRemoval | undefined {
    return this.value?.find(({ source, undone }) => undone === null && source.kind === kind && source.id === id);
  }

  protected read(signal: AbortSignal): Promise<readonly SourceRemoval[]> {
    return sourceApi.takenBack(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "sources" ? GATHER_MS : undefined;
  }
}
