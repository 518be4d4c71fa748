import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { FacetCounts } from "./facet-counts.svelte";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("where the count of other filters does not come, how many match is not known", async () => {
  const facets = vi.spyOn(api, "facets").mockResolvedValue({ total: 7, facets: {} } as never);
  const counts = new FacetCounts();
  counts.want({ type: "rule" });
  await vi.advanceTimersByTimeAsync(0);
  expect(counts.total).toBe(7);
  facets.mockRejectedValue(new ApiError(500, { code: "x", title: "t", detail: "broken" }));
  counts.want({ type: "fact" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([counts.total, counts.reply?.total]).toEqual([undefined, 7]);
});
