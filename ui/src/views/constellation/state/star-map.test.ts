import { expect, test, vi } from "vitest";

import { projectionCalls } from "$lib/api/projection";
import { clusteredMap } from "$lib/constellation/testing";

import { MapEdges, MapPoints } from "./star-map.svelte";

const SCOPE = { project: undefined, agent: undefined };

test("points are outdated from a change until they are read again", async () => {
  const points = new MapPoints();
  // The daemon answers that they are the ones that the page has.
  vi.spyOn(projectionCalls, "mapPoints").mockResolvedValue(undefined);
  points.params = { scope: SCOPE, dimensions: 2 };
  points.value = clusteredMap(4);
  points.loadedParams = points.params;
  points.handleChange({ topic: "pipeline", what: "updated", ids: [] });
  expect(points.isOutdated).toBe(false);
  points.handleChange({ topic: "memory", what: "added", ids: ["a"] });
  expect(points.isOutdated).toBe(true);
  const reading = points.load();
  points.handleChange({ topic: "projection", what: "updated", ids: ["all"] });
  await reading;
  // The later change may not be in it.
  expect(points.isOutdated).toBe(true);
  await points.load();
  expect(points.isOutdated).toBe(false);
  points.stop();
});

test("the edges of an order of points are read once", async () => {
  const ask = vi.spyOn(projectionCalls, "mapEdges").mockResolvedValue(Uint32Array.of(0, 1).buffer);
  const edges = new MapEdges(() => undefined);
  const [map, next] = [clusteredMap(4), clusteredMap(4)];
  await edges.load({ scope: SCOPE, map });
  await edges.load({ scope: SCOPE, map });
  expect(ask).toHaveBeenCalledOnce();
  await edges.load({ scope: SCOPE, map: next });
  expect([edges.of(map), [...(edges.of(next) ?? [])]]).toEqual([undefined, [0, 1]]);
});
