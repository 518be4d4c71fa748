import { expect, test } from "vitest";

import { byStart, byStem, highlight, type Matcher } from "./highlight";

function marked(text: string, isMatch: Matcher): string {
  return highlight(text, isMatch)
    .map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join("");
}

test("a stem marks whole words in any form, never a part of another word", () => {
  expect(marked("Kept inside, in the vault", byStem(["in"]))).toBe("Kept inside, [in] the vault");
  expect(marked("Invoice, invoices, INVOICED; invoicer", byStem(["invoic"]))).toBe("[Invoice], [invoices], [INVOICED]; [invoicer]");
  expect(marked("The user uses us", byStem(["us"]))).toBe("The user [uses] [us]");
});

test("a word is found whatever its accents, and marked with them", () => {
  expect(marked("Le Cafe\u0301 du café", byStem(["cafe"]))).toBe("Le [Cafe\u0301] du [café]");
});

test("a start marks the whole word", () => {
  expect(marked("Postgres, not reposting", byStart("post"))).toBe("[Postgres], not reposting");
});

test("signs of a pattern are plain text, and one letter starts nothing", () => {
  expect(marked("a.b (c++)", byStart("(c++ .* a"))).toBe("a.b (c++)");
});

test("words of other scripts are found", () => {
  expect(marked("نستخدم قاعدة البيانات", byStem(["قاعدة"]))).toBe("نستخدم [قاعدة] البيانات");
});

test("nothing sought marks nothing, and no text is lost", () => {
  expect(highlight("ring and seal", byStem([]))).toEqual([{ text: "ring and seal", isHit: false }]);
  expect(marked("ring and seal", byStart(""))).toBe("ring and seal");
  expect(marked("", byStart("x"))).toBe("");
});
