/** How many captured memories the present judge would not keep, for the sidebar and the notice. */

import { api, type CaptureReviewList } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 1_000;

type Summary = Pick<CaptureReviewList, "total" | "reviewing" | "dismissed">;

export class ReviewCount extends Resource<Summary> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;

  /** 0 until loaded, and while it can't be. */
  get open(): number {
    return this.value?.total ?? 0;
  }

  /** Whether the notice is shown: once all are judged, until it is dismissed. */
  get isAnnounced(): boolean {
    return this.value !== undefined && this.value.total > 0 && !this.value.reviewing && !this.value.dismissed;
  }

  protected read(signal: AbortSignal): Promise<Summary> {
    return api.captureReview({ limit: 1 }, signal);
  }

  protected override delay({ topic, what }: ChangeEvent): number | undefined {
    if (topic === "capture_review") return GATHER_MS;
    // What is saved now is judged by the present judge.
    return topic === "memory" && what !== "added" && this.open > 0 ? GATHER_MS : undefined;
  }
}

export const reviewCount = new ReviewCount();
