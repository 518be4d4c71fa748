import { expect, test } from "vitest";

import type { Constellation, ConstellationEntity } from "$lib/api/projection";
import { idAt, idLookup } from "$lib/constellation/ids";
import { clusteredMap } from "$lib/constellation/testing";
import { DIMMED, HIDDEN, SHOWN } from "$lib/constellation/values";

import type { Clusters } from "./star-map.svelte";
import { clusterLabels, entityLabels, entityLines, labelled, memoryLabels, shownLabels } from "./map-labels";

const MAP = clusteredMap(4);

const entity = (id: string, more: Partial<ConstellationEntity> = {}): ConstellationEntity => ({
  id,
  name: id.toUpperCase(),
  entityType: "tool",
  mentions: 3,
  pinned: false,
  aspects: [],
  position: [1, 2],
  position3D: null,
  ...more,
});
const constellation = (entities: ConstellationEntity[], dependencies: Constellation["dependencies"] = []): Constellation => ({
  entities,
  dependencies,
});

test("a label tells what it stands for", () => {
  const [cluster] = clusterLabels({
    labels: [{ id: 7, level: 1, words: ["deploy", "blue", "green", "rollback"], count: 12, position: [0, 0], position_3d: null }],
    members: [],
  });
  const [named] = entityLabels(constellation([entity("e:1")]));
  const [pinned] = memoryLabels(MAP, [{ id: idAt(MAP, 2), content: "Deploy\non Fridays" }], idLookup(MAP));
  expect([cluster?.text, named?.text, pinned?.text]).toEqual(["deploy · blue · green", "E:1", "Deploy on Fridays"]);
  expect([cluster, named, pinned].map((label) => label && labelled(label))).toEqual([
    { kind: "cluster", cluster: 7, level: 1 },
    { kind: "entity", id: "e:1" },
    { kind: "memory", id: idAt(MAP, 2) },
  ]);
});

test("what is pinned is labelled at any zoom, other entities from nearer the less they are named", () => {
  const many = Array.from({ length: 10 }, (_, at) => entity(`e${String(at)}`, { pinned: at === 9 }));
  expect(entityLabels(constellation(many)).map(({ level }) => level)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 0]);
});

test("an entity without a place and a memory that isn't in the map have no label", () => {
  expect(entityLabels(constellation([entity("e", { position: null })]))).toEqual([]);
  expect(memoryLabels(MAP, [{ id: "elsewhere", content: "x" }], idLookup(MAP))).toEqual([]);
});

test("what is hidden has no label: a memory, and a cluster of which nothing is shown", () => {
  const indexOf = idLookup(MAP);
  const cluster = (id: number): Clusters["labels"][number] => ({
    id,
    level: 0,
    words: ["deploy"],
    count: 2,
    position: [0, 0],
    position_3d: null,
  });
  const labels = [
    ...clusterLabels({ labels: [cluster(0), cluster(1)], members: [] }),
    ...memoryLabels(
      MAP,
      [1, 2].map((index) => ({ id: idAt(MAP, index), content: "Deploy" })),
      indexOf,
    ),
  ];
  const emphasis = Uint8Array.of(HIDDEN, HIDDEN, SHOWN, DIMMED);
  const idsOf = (members: readonly Uint16Array[] | undefined): string[] =>
    shownLabels(labels, emphasis, { indexOf, members }).map(({ id }) => id);
  expect(idsOf([Uint16Array.of(0, 0, 1, 1)])).toEqual(["cluster:0/1", `memory:${idAt(MAP, 2)}`]);
  // Until the clusters of the points are known, all are named.
  expect(idsOf(undefined)).toHaveLength(3);
});

test("lines lead from an entity to its memories, and between entities that depend on each other", () => {
  const two = constellation(
    [entity("a"), entity("b", { position: [3, 4] }), entity("far", { position: null })],
    [
      { sourceEntityId: "a", targetEntityId: "b", dependencyType: "uses", strength: 1 },
      { sourceEntityId: "a", targetEntityId: "far", dependencyType: "uses", strength: 1 },
    ],
  );
  const lines = entityLines(MAP, two, [{ entity: "a", indexes: [0, 1] }]);
  expect(lines.map(({ from }) => from)).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  expect(lines.at(-1)?.to).toEqual([3, 4]);
  // No place in three dimensions on one end: none on the other.
  expect(lines.every(({ from3d, to3d }) => from3d === undefined && to3d === undefined)).toBe(true);
});
