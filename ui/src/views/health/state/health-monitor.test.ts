import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { unreachable } from "$lib/api/errors";
import { healthApi } from "$lib/api/health";
import { connection } from "$lib/state/connection.svelte";

import { report } from "../testing";

import { HealthMonitor, REFRESH_MS } from "./health-monitor.svelte";

let rest: () => void;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  rest();
  connection.link = "connecting";
  vi.useRealTimers();
});

test.each([
  // One reading that fails is no end of it; a daemon that is lost is not asked until it is back.
  ["live", 2],
  ["lost", 1],
] as const)("while the link is %s, a daemon that did not answer is asked %i times", async (link, readings) => {
  connection.link = link;
  const asked = vi.spyOn(healthApi, "report").mockRejectedValueOnce(unreachable()).mockResolvedValue(report());
  rest = new HealthMonitor().subscribe();
  await vi.advanceTimersByTimeAsync(REFRESH_MS + 100);
  expect(asked).toHaveBeenCalledTimes(readings);
});
