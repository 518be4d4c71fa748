import { expect, test } from "vitest";

import { sentenceOf } from "./line-reason";

test.each([
  ["pinned", "You pinned it."],
  ["about recent work: ledger, retry", "About recent work: ledger, retry."],
  ["Its words were said there.", "Its words were said there."],
])("%s is told as a sentence", (reason, sentence) => {
  expect(sentenceOf({ reason })).toBe(sentence);
});
