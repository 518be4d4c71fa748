/** The daemon's status, polled while the view is open; the history of samples outlives the view. */

import { api, type Status } from "$lib/api/client";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

import { withSample, type Series } from "./process-history";

export const REFRESH_MS = 2_000;
/** While the figures are folded. */
const FOLDED_MS = 10_000;
const GATHER_MS = 300;

export class StatusMonitor extends Resource<Status> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  series = $state.raw<Series>([]);
  /** The figures are unfolded, also when the page is opened again. */
  isDetailed = $state(false);

  protected read(signal: AbortSignal): Promise<Status> {
    return api.status(signal);
  }

  protected override delay(): number {
    return GATHER_MS;
  }

  protected override interval(): number {
    return this.isDetailed ? REFRESH_MS : FOLDED_MS;
  }

  protected override settled(outcome: Outcome): void {
    if (outcome === "ready" && this.value !== undefined) this.series = withSample(this.series, this.value);
  }

  setDetailed(isDetailed: boolean): void {
    this.isDetailed = isDetailed;
    if (isDetailed) this.refresh(0);
  }
}

export const statusMonitor = new StatusMonitor();
