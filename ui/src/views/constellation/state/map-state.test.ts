import { expect, test } from "vitest";

import type { ProjectionState } from "$lib/api/projection";

import { needsRun, situationOf } from "./map-state.svelte";

const LAYOUT: ProjectionState["layouts"][number] = {
  dimensions: 2,
  generation: 1,
  method: "umap",
  points: 90,
  placed: 0,
  computed_at: "2026-11-27T12:00:00Z",
  seconds: 1,
};
const RUN: ProjectionState["run"] = { phase: "layout", progress: 0.5, dimensions: [2], started_at: null };
const FAILURE: ProjectionState["failure"] = { reason: "It ran out of memory.", hint: "", at: "2026-11-27T12:00:00Z" };
const state = (more: Partial<ProjectionState>): ProjectionState => ({
  project: null,
  agent: null,
  memories: 100,
  embedded: 100,
  layouts: [],
  run: null,
  failure: null,
  is_outdated: false,
  ...more,
});

test.each([
  ["no memories", { memories: 0, embedded: 0 }, "few", false],
  ["few memories", { memories: 29, embedded: 29 }, "few", false],
  ["nothing laid out yet", {}, "computing", true],
  ["a run", { run: RUN }, "computing", false],
  ["a run that failed", { failure: FAILURE }, "failed", false],
  ["no vectors yet", { embedded: 3 }, "vectorless", false],
  ["a layout", { layouts: [LAYOUT] }, "map", false],
  ["a layout and a run that failed", { layouts: [LAYOUT], failure: FAILURE }, "map", false],
  ["a layout and few memories left", { layouts: [LAYOUT], memories: 10, embedded: 10 }, "few", false],
  ["a layout in three dimensions only", { layouts: [{ ...LAYOUT, dimensions: 3 }] }, "computing", true],
] as const)("with %s the page shows the right thing, and starts a run if needed", (_, more, situation, isStarted) => {
  const shown = state(more as Partial<ProjectionState>);
  expect([situationOf(shown), needsRun(shown)]).toEqual([situation, isStarted]);
});
