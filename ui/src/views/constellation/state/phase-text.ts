/** The phases of a run in words. */

import type { ProjectionState } from "$lib/api/projection";

export const PHASES: Readonly<Record<NonNullable<ProjectionState["run"]>["phase"], string>> = {
  queued: "Waiting to start",
  reading: "Reading embeddings",
  neighbours: "Finding neighbours",
  layout: "Laying out",
  saving: "Saving",
};
