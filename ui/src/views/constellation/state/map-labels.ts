/** The labels of a map and the lines of its entities. */

import type { Constellation } from "$lib/api/projection";
import { HIDDEN, type MapLabel, type MapLine, type StarMap } from "$lib/constellation/values";
import { lineOf } from "$lib/memory/rows";

import type { Clusters } from "./star-map.svelte";

const WORDS = 3;
/** How much of a pinned memory is told, so that all of them have room: of one of few, and of one of many. */
const MEMORY_CHARS = { few: 28, many: 13 } as const;
const FEW = 20;
/** Entities that are named most are shown from a distance, too. */
const MOST_FAR = 8;
const MOST_NEAR = 40;
/** The coarsest clusters stay where labels collide, then the rest by its size. */
const COARSEST_WEIGHT = 1_000_000;

type Place = Pick<MapLabel, "position" | "position3d">;

const CLUSTER = "cluster:";
const ENTITY = "entity:";
const MEMORY = "memory:";

/** What a label stands for. */
export type Labelled =
  | { readonly kind: "cluster"; readonly cluster: number; readonly level: 0 | 1 | 2 }
  | { readonly kind: "entity" | "memory"; readonly id: string };

export function labelled({ id, kind, level }: MapLabel): Labelled {
  if (kind === "cluster") return { kind, cluster: Number(id.slice(CLUSTER.length).split("/")[1]), level };
  return { kind, id: id.slice(kind === "entity" ? ENTITY.length : MEMORY.length) };
}

/** What a cluster is called. */
export function clusterText(words: readonly string[]): string {
  return words.slice(0, WORDS).join(" · ");
}

export function clusterLabels({ labels }: Clusters): readonly MapLabel[] {
  return labels.map(({ id, level, words, count, position, position_3d }) => ({
    id: `${CLUSTER}${String(level)}/${String(id)}`,
    text: clusterText(words),
    kind: "cluster",
    level,
    position,
    position3d: position_3d ?? undefined,
    isPinned: false,
    weight: count + (level === 0 ? COARSEST_WEIGHT : 0),
  }));
}

function levelOf(rank: number, isPinned: boolean): 0 | 1 | 2 {
  if (isPinned) return 0;
  return rank < MOST_FAR ? 1 : 2;
}

type PlacedEntity = Constellation["entities"][number] & { readonly position: MapLabel["position"] };

function placedEntities({ entities }: Constellation): readonly PlacedEntity[] {
  return entities.filter((entity): entity is PlacedEntity => entity.position !== null).slice(0, MOST_NEAR);
}

export function entityLabels(constellation: Constellation): readonly MapLabel[] {
  return placedEntities(constellation).map(({ id, name, mentions, pinned, position, position3D }, rank) => ({
    id: ENTITY + id,
    text: name,
    kind: "entity",
    level: levelOf(rank, pinned),
    position,
    position3d: position3D ?? undefined,
    isPinned: pinned,
    weight: mentions,
  }));
}

/** Where a point is. */
function placeOf({ xy, xyz }: StarMap, index: number): Place {
  const at = (column: Float32Array, place: number): number => column[place] ?? 0;
  return {
    position: [at(xy, 2 * index), at(xy, 2 * index + 1)],
    position3d: xyz === undefined ? undefined : [at(xyz, 3 * index), at(xyz, 3 * index + 1), at(xyz, 3 * index + 2)],
  };
}

export function memoryLabels(
  map: StarMap,
  memories: readonly { readonly id: string; readonly content: string }[],
  indexOf: (id: string) => number | undefined,
): readonly MapLabel[] {
  const most = memories.length <= FEW ? MEMORY_CHARS.few : MEMORY_CHARS.many;
  return memories.flatMap(({ id, content }): MapLabel[] => {
    const index = indexOf(id);
    if (index === undefined) return [];
    const line = lineOf(content);
    const text = line.length > most ? `${line.slice(0, most).trimEnd()}…` : line;
    return [
      { id: MEMORY + id, text, kind: "memory", level: 0, ...placeOf(map, index), isPinned: true, weight: map.importance[index] ?? 0 },
    ];
  });
}

/** The numbers of the clusters that have a point that isn't hidden. */
function shownClusters(members: Uint16Array, emphasis: Uint8Array): ReadonlySet<number> {
  const shown = new Set<number>();
  let former: number | undefined;
  for (const [index, cluster] of members.entries()) {
    if (cluster === former || emphasis[index] === HIDDEN) continue;
    shown.add(cluster);
    former = cluster;
  }
  return shown;
}

/** The labels of what isn't hidden. `members` are the clusters of each point, by level, if they are known. */
export function shownLabels(
  labels: readonly MapLabel[],
  emphasis: Uint8Array,
  { indexOf, members }: { readonly indexOf: (id: string) => number | undefined; readonly members: Clusters["members"] | undefined },
): readonly MapLabel[] {
  const clusters = members?.map((level) => shownClusters(level, emphasis));
  return labels.filter((label) => {
    const what = labelled(label);
    if (what.kind === "cluster") return clusters?.[what.level]?.has(what.cluster) !== false;
    return what.kind === "entity" || (emphasis[indexOf(what.id) ?? -1] ?? HIDDEN) !== HIDDEN;
  });
}

/** Lines from an entity to its memories, and between entities that depend on each other. */
export function entityLines(
  map: StarMap,
  constellation: Constellation,
  memories: readonly { readonly entity: string; readonly indexes: Iterable<number> }[],
): readonly MapLine[] {
  const placed = new Map(
    placedEntities(constellation).map((entity, rank) => [
      entity.id,
      { rank, pinned: entity.pinned, position: entity.position, position3d: entity.position3D ?? undefined },
    ]),
  );
  const line = (from: Place, to: Place, level: 0 | 1 | 2): MapLine => {
    const isSpatial = from.position3d !== undefined && to.position3d !== undefined;
    return {
      from: from.position,
      to: to.position,
      from3d: isSpatial ? from.position3d : undefined,
      to3d: isSpatial ? to.position3d : undefined,
      level,
    };
  };
  const toMemories = memories.flatMap(({ entity, indexes }) => {
    const from = placed.get(entity);
    return from === undefined ? [] : Array.from(indexes, (index) => line(from, placeOf(map, index), 0));
  });
  const dependencies = constellation.dependencies.flatMap(({ sourceEntityId, targetEntityId }) => {
    const [from, to] = [placed.get(sourceEntityId), placed.get(targetEntityId)];
    if (from === undefined || to === undefined) return [];
    return [line(from, to, levelOf(Math.max(from.rank, to.rank), from.pinned && to.pinned))];
  });
  return [...toMemories, ...dependencies];
}
