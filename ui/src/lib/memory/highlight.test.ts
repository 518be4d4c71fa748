import { expect, test } from "vitest";

import { highlight } from "./highlight";

function marked(text: string, query: string): string {
  return highlight(text, query).map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text)).join("");
}

test("words are found at the start of words, in any case", () => {
  expect(marked("Postgres, not reposting", "post")).toBe("[Post]gres, not reposting");
});

test("the longer of two words wins", () => {
  expect(marked("database", "data database")).toBe("[database]");
});

test("signs of a pattern are plain text", () => {
  expect(marked("a.b (c++)", "(c++ .*")).toBe("a.b (c++)");
  expect(marked("use c++17", ".* use")).toBe("[use] c++17");
});

test("words of other scripts are found", () => {
  expect(marked("نستخدم قاعدة البيانات", "قاعدة")).toBe("نستخدم [قاعدة] البيانات");
});

test("no query marks nothing, and no text is lost", () => {
  expect(marked("ring and seal", "")).toBe("ring and seal");
  expect(marked("", "x")).toBe("");
});
