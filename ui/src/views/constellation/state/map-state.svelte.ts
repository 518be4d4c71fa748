/** The state of a map on the daemon: its layouts, the run going on, and how the last one failed. */

import { asApiError, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { projectionCalls, type MapScope, type ProjectionState } from "$lib/api/projection";
import { reportFailure } from "$lib/memory/memory-actions";
import { Resource } from "$lib/state/resource.svelte";

import { LEAST_FOR_MAP } from "../small/neighbourhoods.svelte";

/** Counts may lag behind memories that arrive in bursts. */
const COUNTS_MS = 2_000;
const SPACING_MS = 250;

/** What the page shows in the place of the map, or that it shows the map. */
export type Situation = "few" | "vectorless" | "computing" | "failed" | "map";

export function situationOf(state: ProjectionState): Situation {
  if (state.layouts.some(({ dimensions }) => dimensions === 2) && state.memories >= LEAST_FOR_MAP) return "map";
  if (state.memories < LEAST_FOR_MAP) return "few";
  if (state.run !== null) return "computing";
  if (state.failure !== null) return "failed";
  return state.embedded < LEAST_FOR_MAP ? "vectorless" : "computing";
}

/** Whether a first run has to be started: nothing is laid out, and nothing is under way or failed. */
export function needsRun(state: ProjectionState): boolean {
  return situationOf(state) === "computing" && state.run === null;
}

export class MapState extends Resource<ProjectionState, MapScope> {
  protected override readonly spacingMs = SPACING_MS;
  /** Why the daemon refused to lay out a map that there is none of yet, such as when maps are switched off. */
  refusal = $state.raw<ApiError>();

  protected read(signal: AbortSignal, scope: MapScope): Promise<ProjectionState> {
    return projectionCalls.mapState(scope, signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    if (topic === "projection") return 0;
    return topic === "memory" || topic === "embeddings" ? COUNTS_MS : undefined;
  }

  /** Whether a layout in three dimensions has to be asked for. */
  get lacksSpatial(): boolean {
    return this.value !== undefined && !this.has(3) && this.value.run === null && this.value.failure === null;
  }

  has(dimensions: 2 | 3): boolean {
    return this.value?.layouts.some((layout) => layout.dimensions === dimensions) === true;
  }

  /** Memories that were placed one by one since the last run. */
  get placed(): number {
    return this.value?.layouts.find(({ dimensions }) => dimensions === 2)?.placed ?? 0;
  }

  /** Lay out the map anew. */
  async run(dimensions: (2 | 3)[]): Promise<void> {
    await this.#change("Couldn't lay out the map", (scope) => projectionCalls.runMap(scope, dimensions));
  }

  async cancel(): Promise<void> {
    await this.#change("Couldn't cancel", projectionCalls.cancelMapRun);
  }

  async #change(what: string, change: (scope: MapScope) => Promise<ProjectionState>): Promise<void> {
    const scope = this.params;
    if (scope === undefined) return;
    try {
      const state = await change(scope);
      if (this.params !== scope) return;
      this.refusal = undefined;
      this.set(state);
    } catch (thrown) {
      if (this.params === scope && !this.has(2)) this.refusal = asApiError(thrown);
      else reportFailure(what, thrown);
    }
  }
}
