import { expect, test, vi } from "vitest";

import { api, type RecallResult } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { RecallCheck, explainRank } from "./recall-check.svelte";

const memory = { id: "own", created_at: "2026-11-21T10:00:00.000Z", agent_id: "default", type: "fact" };

function result(id: string, matched: string[] = ["ring"], cosine: number | null = 0.5): RecallResult {
  return { id, content: id, source: "hybrid", explain: { bm25: 1, coverage: 0.5, cosine, matched } } as unknown as RecallResult;
}

test("its place is told, with the best that stand before it", async () => {
  vi.spyOn(api, "search").mockResolvedValue(["a", "b", "c", "d", "own", "e"].map((id) => result(id)));
  const check = new RecallCheck();
  await check.check(memory, " which ring? ");
  expect(check.value).toMatchObject({ question: "which ring?", rank: 5, of: 6, higher: [{ id: "a" }, { id: "b" }, { id: "c" }] });
});

test("one that is not among the first is asked for alone, and its signals say why", async () => {
  const search = vi.spyOn(api, "search").mockResolvedValueOnce([result("a")]).mockResolvedValueOnce([result("own", [], 0.05)]);
  const check = new RecallCheck();
  await check.check(memory, "ring");
  expect(search.mock.lastCall?.[0]).toMatchObject({ since: memory.created_at, until: memory.created_at });
  expect(check.value?.rank).toBeUndefined();
  expect(check.value && explainRank(check.value, true)).toBe("It contains none of the query's words, and others are more similar.");
});

test.each([
  [true, "It contains none of the query's words and isn't semantically similar."],
  [false, "It contains none of the query's words and isn't embedded yet, so semantic search can't find it."],
])("what nothing leads to (vector: %s) is told so", async (hasVector, sentence) => {
  vi.spyOn(api, "search").mockResolvedValue([]);
  const check = new RecallCheck();
  await check.check(memory, "ring");
  expect(check.value && explainRank(check.value, hasVector)).toBe(sentence);
});

test("an empty question asks nobody, and a failure is told", async () => {
  const search = vi.spyOn(api, "search").mockRejectedValue(new ApiError(500, { code: "x", title: "t", detail: "no" }));
  const check = new RecallCheck();
  await check.check(memory, "  ");
  expect(search).not.toHaveBeenCalled();
  expect([check.isBusy, check.value]).toEqual([false, undefined]);
  await check.check(memory, "ring");
  expect(check.phase).toBe("failed");
});
