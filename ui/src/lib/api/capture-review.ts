/** API calls about the review of captured memories. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type CaptureReviewRow = Schemas["CaptureReviewRow"];
export type CaptureReviewList = Schemas["CaptureReviewList"];

interface ReviewQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The most memories that one request keeps. */
const MOST_KEPT = 1_000;

export const captureReviewCalls = {
  /** A page of captured memories that the present judge would not keep, least sure first. */
  captureReview: (query: ReviewQuery, signal?: AbortSignal): Promise<CaptureReviewList> =>
    unwrap(http.GET("/api/capture/review", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  /** Keep memories, so that they aren't listed again, or undo that. */
  keepReviewed: async (ids: readonly string[], keep: boolean): Promise<number> => {
    let changed = 0;
    for (let from = 0; from < ids.length; from += MOST_KEPT) {
      const body = { ids: ids.slice(from, from + MOST_KEPT), keep };
      changed += (await unwrap(http.POST("/api/capture/review/keep", { body }))).changed;
    }
    return changed;
  },

  /** Hide the notice until the judge changes. */
  dismissReview: async (): Promise<void> => {
    await unwrap(http.POST("/api/capture/review/dismiss"));
  },
};
