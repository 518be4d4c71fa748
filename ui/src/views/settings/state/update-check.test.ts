import { expect, test, vi } from "vitest";

import { unreachable } from "$lib/api/errors";
import { updateCalls, type UpdateCheck } from "$lib/api/updates";

import { UpdateCheckResource } from "./update-check.svelte";

const KNOWN = { pendingVersion: null, updateAvailable: false, obstacle: "", checkError: null, checkedAt: null } as UpdateCheck;

test("an update that takes longer than a request waits goes on, and is no failure", async () => {
  vi.spyOn(updateCalls, "known").mockResolvedValue({ ...KNOWN, updateInProgress: true });
  vi.spyOn(updateCalls, "run").mockRejectedValue(unreachable());
  const updates = new UpdateCheckResource();
  await updates.run();
  expect([updates.refusal, updates.value?.updateInProgress]).toEqual([undefined, true]);
});

test("that the daemon couldn't be reached is said until it answers", async () => {
  vi.spyOn(updateCalls, "check").mockRejectedValue(unreachable());
  vi.spyOn(updateCalls, "known").mockResolvedValue(KNOWN);
  const updates = new UpdateCheckResource();
  await updates.check();
  expect(updates.refusal?.code).toBe("unreachable");
  await updates.load();
  expect(updates.refusal).toBeUndefined();
});
