import { expect, test, vi } from "vitest";

import { api, type Matches, type RecallResult } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { RecallCheck, explainRank } from "./recall-check.svelte";

const memory = { id: "own", created_at: "2026-11-21T10:00:00.000Z", agent_id: "default", type: "fact" };

function result(id: string, matched: string[] = ["ring"], cosine: number | null = 0.5, answers = true): RecallResult {
  const explain = { bm25: 1, coverage: 0.5, cosine, meaning: null, matched, shares: {}, reasons: [], answers };
  return { id, content: id, source: "hybrid", explain } as unknown as RecallResult;
}

function found(results: RecallResult[]): Matches {
  return { results, weaker: 0 };
}

test("its place is told, with the best that stand before it", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found(["a", "b", "c", "d", "own", "e"].map((id) => result(id))));
  const check = new RecallCheck();
  await check.check(memory, " which ring? ");
  expect(check.value).toMatchObject({ question: "which ring?", rank: 5, of: 6, higher: [{ id: "a" }, { id: "b" }, { id: "c" }] });
});

test("one that was found but doesn't answer well enough is told so, with its rank among all", async () => {
  const search = vi
    .spyOn(api, "search")
    .mockResolvedValue(found([result("a"), result("b", ["ring"], 0.1, false), result("own", ["ring"], 0.1, false)]));
  const check = new RecallCheck();
  await check.check(memory, "ring");
  expect(search.mock.lastCall?.[0]).toMatchObject({ min_score: 0 });
  expect(check.value).toMatchObject({ rank: 3, of: 3, isLeftOut: true });
  expect(check.value && explainRank(check.value, true)).toMatch("doesn't answer the query well enough");
});

test("weaker matches don't count in the rank of one that answers", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found([result("a", ["ring"], 0.1, false), result("own")]));
  const check = new RecallCheck();
  await check.check(memory, "ring");
  expect(check.value).toMatchObject({ rank: 1, of: 1, isLeftOut: false, higher: [] });
});

test("one that is not among the first is asked for alone, and its signals say why", async () => {
  const search = vi
    .spyOn(api, "search")
    .mockResolvedValueOnce(found([result("a")]))
    .mockResolvedValueOnce(found([result("own", [], 0.05)]));
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
  vi.spyOn(api, "search").mockResolvedValue(found([]));
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
