/** The sources that memories came from: imports, files, agents and tools, kept current. */

import type { ChangeEvent } from "$lib/api/event-stream";
import { sourceApi, type SourceRow } from "$lib/api/sources";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 1_000;
const TOPICS: ReadonlySet<string> = new Set(["sources", "memory", "imports"]);

export class MemorySources extends Resource<readonly SourceRow[]> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = 2 * GATHER_MS;
  protected override readonly pausesHidden = true;

  protected read(signal: AbortSignal): Promise<readonly SourceRow[]> {
    return sourceApi.sources(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return TOPICS.has(topic) ? GATHER_MS : undefined;
  }
}
