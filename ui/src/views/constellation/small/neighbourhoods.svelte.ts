/** The memories of a store that is too small for a map, each with those nearest to it. */

import { api } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { MIN_SIMILARITY, similarRow, type SimilarRow } from "$lib/memory/detail/similar/similar-memories.svelte";
import { rowOf, type ListRow } from "$lib/memory/rows";
import { Resource } from "$lib/state/resource.svelte";

/** Stores with fewer memories are shown as a list: points would stand anywhere. */
export const LEAST_FOR_MAP = 30;

const MOST_SHOWN = 3;
const RELOAD_MS = 500;

export interface Neighbourhood {
  readonly memory: ListRow;
  /** The nearest first; undefined while the memory has no vector. */
  readonly near: readonly SimilarRow[] | undefined;
}

/** Which memories: a project's, an agent's, or all. */
export interface Scope {
  readonly project: string | undefined;
  readonly agent: string | undefined;
}

async function nearest(id: string, listed: ReadonlySet<string>, signal: AbortSignal): Promise<readonly SimilarRow[] | undefined> {
  try {
    // Those of other projects may be nearer.
    const found = await api.similar(id, LEAST_FOR_MAP, signal);
    const near = found.filter((one) => listed.has(one.id) && one.score >= MIN_SIMILARITY);
    return near.slice(0, MOST_SHOWN).map(similarRow);
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return undefined;
    throw thrown;
  }
}

export class Neighbourhoods extends Resource<readonly Neighbourhood[], Scope> {
  protected async read(signal: AbortSignal, scope: Scope): Promise<readonly Neighbourhood[]> {
    const [{ memories }, model] = await Promise.all([api.memories({ ...scope, limit: LEAST_FOR_MAP }, signal), api.embedding(signal)]);
    if (model === null) return memories.map((memory) => ({ memory: rowOf(memory), near: undefined }));
    const listed = new Set(memories.map(({ id }) => id));
    return await Promise.all(memories.map(async (memory) => ({ memory: rowOf(memory), near: await nearest(memory.id, listed, signal) })));
  }

  protected override delay(change: ChangeEvent): number | undefined {
    return change.topic === "memory" || change.topic === "embeddings" ? RELOAD_MS : undefined;
  }
}
