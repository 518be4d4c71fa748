import { expect, test } from "vitest";

import type { RecallResult } from "$lib/api/client";

import { matchedQueryWords, matchOf, matcherOf } from "./search-match";

const explain = {
  bm25: 2,
  coverage: 0.5,
  cosine: 0.25,
  matched: ["invoic"],
  meaning: 0.4,
  reasons: ["said by Ada"],
  answers: false,
  shares: {},
};

function found(source: string, more: { matched?: string[]; cosine?: number | null } = {}): ReturnType<typeof matchOf> {
  return matchOf({ source, explain: { ...explain, ...more } } as unknown as RecallResult);
}

test("the signals of a result are why it was found", () => {
  expect(found("hybrid")).toEqual({
    reason: "both",
    matched: ["invoic"],
    coverage: 0.5,
    cosine: 0.25,
    meaning: 0.4,
    reasons: ["said by Ada"],
    answers: false,
  });
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
  expect(matchedQueryWords(["invoic", "parti"], "Which Party sent invoices?")).toEqual(["invoices", "party"]);
});

test("a stem that no asked word has stays, and none stands twice", () => {
  expect(matchedQueryWords(["ran", "run"], "running")).toEqual(["ran", "running"]);
  expect(matchedQueryWords(["run", "run"], "run running")).toEqual(["running"]);
});

test("the words that a result was found by are marked, and no others of the query", () => {
  const marks = matcherOf(found("hybrid"), "where are the invoices");
  expect(["Invoice", "invoicing", "where", "the"].map(marks)).toEqual([true, true, false, false]);
});

test("in a list without signals the words of the query are marked", () => {
  expect(["the", "seals", "sealing-wax", "theatre"].map(matcherOf(undefined, "the seal"))).toEqual([true, true, false, false]);
});
