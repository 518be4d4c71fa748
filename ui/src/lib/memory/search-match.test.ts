import { expect, test } from "vitest";

import type { RecallResult } from "$lib/api/client";

import { matchedQueryWords, matchOf, highlightWords } from "./search-match";

const explain = { bm25: 2, coverage: 0.5, cosine: 0.25, matched: ["invoic"] };

function found(source: string, more: { matched?: string[]; cosine?: number | null } = {}): ReturnType<typeof matchOf> {
  return matchOf({ source, explain: { ...explain, ...more } } as unknown as RecallResult);
}

test("the signals of a result are why it was found", () => {
  expect(found("hybrid")).toEqual({ reason: "both", matched: ["invoic"], coverage: 0.5, cosine: 0.25 });
});

test("a result without signals claims nothing", () => {
  expect(matchOf({ source: "hybrid" } as RecallResult)).toBeUndefined();
});

test("what has none of the words was found by meaning", () => {
  expect(found("vector", { matched: [] })?.reason).toBe("meaning");
});

test("words count whichever leg brought the memory", () => {
  expect(found("vector")?.reason).toBe("both");
});

test("to be among the nearest of a few is no reason", () => {
  expect(found("hybrid", { cosine: 0.02 })?.reason).toBe("words");
});

test("what was not compared by meaning was found by words", () => {
  expect(found("keyword", { cosine: null })?.reason).toBe("words");
  expect(found("keyword", { cosine: null, matched: [] })?.reason).toBe("words");
});

test("stems are shown as the words that were asked", () => {
  expect(matchedQueryWords(["invoic", "parti"], "Which party sent invoices?")).toEqual(["invoices", "party"]);
});

test("a word that is asked whole goes before one that only resembles the stem", () => {
  expect(matchedQueryWords(["stone"], "stony stone")).toEqual(["stone"]);
});

test("a stem that fits no asked word stays, and none stands twice", () => {
  expect(matchedQueryWords(["ran", "run", "runn"], "running")).toEqual(["ran", "running"]);
});

test("only words that count are marked, in any form but the shortest", () => {
  expect(highlightWords(found("hybrid"), "where are the invoices")).toBe("invoices invoic");
  expect(highlightWords(found("hybrid", { matched: ["us"] }), "who uses it")).toBe("uses");
});

test("in a list without signals the query itself is marked", () => {
  expect(highlightWords(undefined, "the seal")).toBe("the seal");
});
