import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type Status } from "$lib/api/client";
import { unreachable } from "$lib/api/errors";
import { connection } from "$lib/state/connection.svelte";

import { REFRESH_MS, StatusMonitor } from "./status-monitor.svelte";

const STATUS = {
  queue: { pending: 0, leased: 0, dead: 0 },
  store: { lastBackup: null },
  process: { rssBytes: 1, cpuSeconds: 1 },
} as unknown as Status;

let rest: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(api, "copies").mockResolvedValue({ backups: [] });
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
  const status = vi.spyOn(api, "status").mockRejectedValueOnce(unreachable()).mockResolvedValue(STATUS);
  rest = new StatusMonitor().subscribe();
  await vi.advanceTimersByTimeAsync(REFRESH_MS + 100);
  expect(status).toHaveBeenCalledTimes(readings);
});
