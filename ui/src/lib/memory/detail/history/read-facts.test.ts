import { expect, test } from "vitest";

import { readFact } from "./read-facts";

test("a fact that a model read has its text and the model's reason", () => {
  const metadata = { outcome: "blocked", fact: { content: "Deploys run on Fridays", type: "rule" } };
  expect(readFact(metadata, "It corrects the day")).toEqual({
    title: "Fact waits for you",
    detail: "Deploys run on Fridays – It corrects the day",
  });
  expect(readFact({ outcome: "applied", fact: {} }, null)).toEqual({ title: "Fact stored", detail: "" });
});

test("a reply of which something couldn't be used is no fact", () => {
  expect(readFact({ outcome: "skipped", skippedReason: "malformed" }, "it isn't the JSON that was asked for")).toEqual({
    title: "Language model's reply not fully usable",
    detail: "it isn't the JSON that was asked for",
  });
});

test("other entries tell of no fact", () => {
  expect(readFact(null, "x")).toBeUndefined();
  expect(readFact({ outcome: "toString" }, null)).toBeUndefined();
  expect(readFact({ erased: true }, null)).toBeUndefined();
});
