import { beforeEach, expect, test, vi } from "vitest";

import { api, type SimilarResult } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { SimilarMemories } from "./similar-memories.svelte";

const refusal = (status: number): ApiError => new ApiError(status, { code: "error", title: "No", detail: "It did not work." });

function near(...ids: string[]): SimilarResult[] {
  return ids.map((id) => ({ id, content: `Memory\n${id}`, type: "fact", score: 0.5 }) as SimilarResult);
}

let similar: SimilarMemories;
const shown = (): string => similar.rows.map((row) => row.line).join(", ");
const memory = (id: string, embedding_model: string | null = "model"): Parameters<SimilarMemories["show"]>[0] => ({
  id,
  embedding_model,
});

beforeEach(() => {
  similar = new SimilarMemories();
});

test("the five nearest are shown, a line each", async () => {
  const ask = vi.spyOn(api, "similar").mockResolvedValue(near("a", "b"));
  await similar.show(memory("1"));
  expect(ask.mock.lastCall?.slice(0, 2)).toEqual(["1", 5]);
  expect([similar.state, shown()]).toEqual(["ready", "Memory a, Memory b"]);
});

test("what is near by chance alone is not shown, but how near it is", async () => {
  const scored = near("a", "b", "c").map((one, index) => ({ ...one, score: [0.6, 0.3, 0.29][index] ?? 0 }));
  vi.spyOn(api, "similar").mockResolvedValueOnce(scored).mockResolvedValueOnce(scored.slice(2));
  await similar.show(memory("1"));
  expect(shown()).toBe("Memory a, Memory b");
  await similar.show(memory("2"));
  expect([similar.state, shown(), similar.nearest]).toEqual(["ready", "", 0.29]);
});

test("a memory without a vector is not asked about", async () => {
  const ask = vi.spyOn(api, "similar");
  await similar.show(memory("1", null));
  expect(ask).not.toHaveBeenCalled();
  expect(similar.state).toBe("unknown");
});

test("a vector of another model is no vector", async () => {
  vi.spyOn(api, "similar").mockRejectedValue(refusal(404));
  await similar.show(memory("1"));
  expect(similar.state).toBe("unknown");
});

test("a failure is told, and a retry mends it", async () => {
  const ask = vi.spyOn(api, "similar").mockRejectedValueOnce(refusal(503));
  await similar.show(memory("1"));
  expect([similar.state, similar.error?.message]).toEqual(["failed", "It did not work."]);
  ask.mockResolvedValueOnce(near("a"));
  await similar.reload();
  expect([similar.state, shown()]).toEqual(["ready", "Memory a"]);
});

test("what is near one memory never stands beside another", async () => {
  const ask = vi.spyOn(api, "similar").mockResolvedValueOnce(near("a"));
  await similar.show(memory("1"));
  let late: (found: SimilarResult[]) => void = () => undefined;
  ask.mockReturnValueOnce(new Promise((resolve) => (late = resolve)));
  const second = similar.show(memory("2"));
  expect([similar.state, shown()]).toEqual(["loading", ""]);
  await similar.show(memory("3", null));
  late(near("b"));
  await second;
  expect([similar.state, shown()]).toEqual(["unknown", ""]);
});

test("one that is forgotten goes at once, and the next takes its place", async () => {
  const ask = vi.spyOn(api, "similar").mockResolvedValueOnce(near("a", "b"));
  await similar.show(memory("1"));
  ask.mockResolvedValueOnce(near("b", "c"));
  similar.handleChange({ topic: "memory", what: "deleted", ids: ["a"] });
  expect(shown()).toBe("Memory b");
  await vi.waitFor(() => {
    expect(shown()).toBe("Memory b, Memory c");
  });
});

test("changes of others are none of its business", async () => {
  const ask = vi.spyOn(api, "similar").mockResolvedValue(near("a"));
  await similar.show(memory("1"));
  similar.handleChange({ topic: "memory", what: "updated", ids: ["x"] });
  similar.handleChange({ topic: "embeddings", what: "updated", ids: ["a"] });
  expect(ask).toHaveBeenCalledTimes(1);
});
