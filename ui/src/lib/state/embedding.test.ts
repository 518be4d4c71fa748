import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type EmbeddingStatus } from "$lib/api/client";

import { Embedding, embeddingState } from "./embedding.svelte";

function status(more: Partial<EmbeddingStatus> = {}): EmbeddingStatus {
  const rest = { available: true, phase: "ready", detail: "", embedded: 400, total: 400, pending: 0, searchedMeanwhile: "" };
  return { ...rest, ...more } as EmbeddingStatus;
}

const partly = status({ embedded: 120, pending: 280 });

test("there is nothing to say while all is done, no model is set up, or nothing is known", () => {
  for (const now of [status(), status({ phase: "idle" }), null, undefined]) {
    expect(embeddingState(now)).toEqual({ kind: "quiet" });
  }
});

test("while vectors are made it says how many", () => {
  expect(embeddingState(partly)).toEqual({ kind: "working", embedded: 120, total: 400 });
});

test("what nobody works on is no progress", () => {
  expect(embeddingState(status({ embedded: 399 })).kind).toBe("quiet");
});

test("trouble is told in the daemon's words, and goes before progress", () => {
  const detail = "The model is damaged: its hash differs.";
  expect(embeddingState({ ...partly, available: false, phase: "damaged", detail })).toEqual({ kind: "trouble", detail, fallbackModel: "" });
  expect(embeddingState(status({ phase: "failing" }))).toEqual({
    kind: "trouble",
    detail: "The embedding model is failing.",
    fallbackModel: "",
  });
});

test("while a former model serves, trouble of the wanted one says so", () => {
  const now = status({ available: false, phase: "failing", detail: "It is away.", searchedMeanwhile: "older" });
  expect(embeddingState(now)).toEqual({ kind: "trouble", detail: "It is away.", fallbackModel: "older" });
});

let embedding: Embedding;
let stop = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  embedding = new Embedding();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

test("however much changes, it asks once a second, and the last word is heard", async () => {
  const ask = vi.spyOn(api, "embedding").mockResolvedValue(partly);
  stop = embedding.subscribe();
  for (let tenth = 0; tenth < 15; tenth += 1) {
    await vi.advanceTimersByTimeAsync(100);
    embedding.handleChange({ topic: "embeddings", what: "updated", ids: [] });
  }
  expect(ask).toHaveBeenCalledTimes(2);
  expect(embedding.summary.kind).toBe("working");
  ask.mockResolvedValue(status());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(embedding.summary.kind).toBe("quiet");
});

test("a new memory has a second to get its vector before anyone asks", async () => {
  const ask = vi.spyOn(api, "embedding").mockResolvedValue(status());
  stop = embedding.subscribe();
  await vi.advanceTimersByTimeAsync(5_000);
  embedding.handleChange({ topic: "memory", what: "added", ids: ["1"] });
  await vi.advanceTimersByTimeAsync(999);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ask).toHaveBeenCalledTimes(2);
});

test("trouble is asked after again until it is over, though nothing tells of it", async () => {
  const ask = vi.spyOn(api, "embedding").mockResolvedValue(status({ available: false, detail: "refused" }));
  stop = embedding.subscribe();
  await vi.advanceTimersByTimeAsync(0);
  expect(embedding.summary.kind).toBe("trouble");
  ask.mockResolvedValue(status());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(embedding.summary.kind).toBe("quiet");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask).toHaveBeenCalledTimes(2);
});

test("a daemon that does not answer leaves what was known", async () => {
  const ask = vi.spyOn(api, "embedding").mockResolvedValue(null);
  stop = embedding.subscribe();
  await vi.advanceTimersByTimeAsync(0);
  expect(embedding.isOff).toBe(true);
  ask.mockRejectedValue(new Error("gone"));
  embedding.handleChange("resync");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(embedding.isOff).toBe(true);
});
