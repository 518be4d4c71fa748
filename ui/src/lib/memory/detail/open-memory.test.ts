import { expect, test, vi } from "vitest";

import { api, type MemoryRow } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { OpenMemory } from "./open-memory.svelte";

const ROW = { id: "a", content: "Beryl is green.", version: 1, embedding_model: null } as MemoryRow;
const problem = (status: number): ApiError => new ApiError(status, { code: "x", title: "t", detail: "d" });

async function opened(): Promise<OpenMemory> {
  vi.spyOn(api, "memory").mockResolvedValueOnce(ROW);
  vi.spyOn(api, "history").mockResolvedValue([]);
  vi.spyOn(api, "evidence").mockResolvedValue([]);
  const one = new OpenMemory();
  await one.show("a");
  return one;
}

test("what was read stays when reading it anew fails", async () => {
  const one = await opened();
  vi.spyOn(api, "memory")
    .mockRejectedValueOnce(problem(503))
    .mockResolvedValueOnce({ ...ROW, version: 2 });
  await one.load();
  expect([one.state, one.row?.version]).toEqual(["ready", 1]);
  await one.load();
  expect([one.state, one.row?.version]).toEqual(["ready", 2]);
});

test("one that is gone is told as gone, and one that never came as failed", async () => {
  const one = await opened();
  vi.spyOn(api, "memory").mockRejectedValueOnce(problem(404)).mockRejectedValueOnce(problem(503));
  await one.load();
  expect(one.state).toBe("gone");
  await one.show("b");
  expect(one.state).toBe("failed");
});
