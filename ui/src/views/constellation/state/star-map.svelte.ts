/** The points of a map, and what is drawn between and upon them; loaded in this order, kept current. */

import { ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { projectionCalls, type Constellation, type MapLabels, type MapScope } from "$lib/api/projection";
import { decodeEdges, decodeMap, decodeMembers } from "$lib/constellation/decode";
import { idLookup } from "$lib/constellation/ids";
import type { Edges, StarMap } from "$lib/constellation/values";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

/** A large map takes a moment to load: not for each memory of a burst. */
const SPACING_MS = 2_000;
const GATHER_MS = 500;
const CONFLICT = 409;

/** Which points are shown: of a scope, with the layout in three dimensions if asked for. */
export interface PointsQuery {
  readonly scope: MapScope;
  readonly dimensions: 2 | 3;
}

export class MapPoints extends Resource<StarMap, PointsQuery> {
  protected override readonly spacingMs = SPACING_MS;
  protected override readonly resyncMs = GATHER_MS;
  readonly indexOf = $derived(this.value === undefined ? () => undefined : idLookup(this.value));
  /** The daemon has told of a change since these points were read: it may refuse their edges and labels. */
  isOutdated = $state(false);
  #changes = 0;
  #changesRead = 0;

  override handleChange(change: ChangeEvent | "resync"): void {
    if (change === "resync" || this.delay(change) !== undefined) {
      this.#changes += 1;
      this.isOutdated = true;
    }
    super.handleChange(change);
  }

  protected override settled(): void {
    this.isOutdated = this.#changesRead !== this.#changes;
  }

  protected async read(signal: AbortSignal, query: PointsQuery): Promise<StarMap> {
    this.#changesRead = this.#changes;
    const former = this.loadedParams?.scope === query.scope ? this.value : undefined;
    const bytes = await projectionCalls.mapPoints(query.scope, query.dimensions, former?.token, signal);
    return bytes === undefined && former !== undefined ? former : decodeMap(bytes ?? new ArrayBuffer());
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" || topic === "projection" ? GATHER_MS : undefined;
  }
}

/** The map whose edges or clusters are read. */
export interface LayerQuery {
  readonly scope: MapScope;
  readonly map: StarMap;
}

/** What belongs to one order of points, and never changes; `onstale` is called if the map has another one by now. */
abstract class MapLayer<Value> extends Resource<Value, LayerQuery> {
  readonly #onstale: () => void;

  constructor(onstale: () => void) {
    super();
    this.#onstale = onstale;
  }

  /** Of the map that is shown; undefined while another one's is there. */
  of(map: StarMap | undefined): Value | undefined {
    return this.loadedParams?.map === map ? this.value : undefined;
  }

  override load(query = this.params): Promise<Outcome> {
    return this.of(query?.map) === undefined ? super.load(query) : Promise.resolve("ready");
  }

  protected override settled(outcome: "ready" | "failed"): void {
    if (outcome === "failed" && this.error instanceof ApiError && this.error.status === CONFLICT) this.#onstale();
  }
}

export class MapEdges extends MapLayer<Edges> {
  protected async read(signal: AbortSignal, { scope, map }: LayerQuery): Promise<Edges> {
    return decodeEdges(await projectionCalls.mapEdges(scope, map.token, signal), map.count);
  }
}

export interface Clusters {
  readonly labels: MapLabels["labels"];
  /** The cluster of each point, by level. */
  readonly members: readonly Uint16Array[];
}

export class MapClusters extends MapLayer<Clusters> {
  protected async read(signal: AbortSignal, { scope, map }: LayerQuery): Promise<Clusters> {
    const { labels, members } = await projectionCalls.mapLabels(scope, map.token, signal);
    return { labels, members: members.map((written) => decodeMembers(written, map.count)) };
  }
}

export class MapEntities extends Resource<Constellation, MapScope> {
  protected override readonly spacingMs = SPACING_MS;

  protected read(signal: AbortSignal, scope: MapScope): Promise<Constellation> {
    return projectionCalls.mapEntities(scope, signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "entity" ? GATHER_MS : undefined;
  }
}
