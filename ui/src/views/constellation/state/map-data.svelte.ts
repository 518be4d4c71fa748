/** The map of a scope, with its state on the daemon and all that is drawn between and upon its points. */

import type { MapScope } from "$lib/api/projection";
import type { MapLabel, StarMap } from "$lib/constellation/values";

import { PinnedMemories } from "./lit-memories.svelte";
import { clusterLabels, entityLabels, memoryLabels } from "./map-labels";
import { MapState, situationOf } from "./map-state.svelte";
import { MapClusters, MapEdges, MapEntities, MapPoints } from "./star-map.svelte";

const NO_LABELS: readonly MapLabel[] = [];

function together(cleanups: readonly (() => void)[]): () => void {
  return () => {
    for (const cleanup of cleanups.toReversed()) cleanup();
  };
}

export class MapData {
  readonly #scope: () => MapScope;
  readonly state = new MapState();
  readonly points = new MapPoints();
  readonly clusters = new MapClusters(() => {
    this.points.refresh(0);
  });
  readonly edges = new MapEdges(() => {
    this.points.refresh(0);
  });
  readonly entities = new MapEntities();
  readonly pinned = new PinnedMemories();
  readonly situation = $derived(this.state.value === undefined ? undefined : situationOf(this.state.value));
  /** The map of the scope, once it is loaded. */
  readonly map = $derived.by(() => (this.points.loadedParams?.scope === this.#scope() ? this.points.value : undefined));
  readonly labels = $derived.by(() => {
    const { map } = this;
    if (map === undefined) return NO_LABELS;
    const [clusters, entities] = [this.clusters.value, this.entities.value];
    // Those of the points before stay until there are new ones.
    return [
      ...(clusters === undefined ? NO_LABELS : clusterLabels(clusters)),
      ...(entities === undefined ? NO_LABELS : entityLabels(entities)),
      ...memoryLabels(map, this.pinned.value ?? [], this.points.indexOf),
    ];
  });

  /** The coarsest clusters, the largest first. */
  readonly mainClusters = $derived.by(() => {
    const labels = this.clusters.value?.labels ?? [];
    const coarsest = Math.min(...labels.map(({ level }) => level));
    return labels.filter(({ level }) => level === coarsest).toSorted((one, other) => other.count - one.count);
  });

  constructor(scope: () => MapScope) {
    this.#scope = scope;
  }

  /** Load the state of a scope's map. */
  load(scope: MapScope): void {
    for (const one of [this.state, this.points, this.clusters, this.edges, this.entities]) one.clear();
    this.state.refusal = undefined;
    void this.state.reload(scope);
  }

  /** Load the points, and keep them current until the returned function is called. */
  showMap(scope: MapScope, dimensions: 2 | 3): () => void {
    this.points.params = { scope, dimensions };
    this.pinned.params = scope;
    return together([this.points.subscribe(), this.pinned.subscribe()]);
  }

  /** Load where the entities stand in a map. */
  showEntities(scope: MapScope): () => void {
    this.entities.params = scope;
    return this.entities.subscribe();
  }

  /** Load what is drawn between and upon the points of a map. */
  showLayers(scope: MapScope, map: StarMap): () => void {
    for (const one of [this.clusters, this.edges]) one.params = { scope, map };
    return together([this.clusters.subscribe(), this.edges.subscribe()]);
  }
}
