import { expect, test } from "vitest";

import { diffBlocks, diffWords, type Block, type Piece } from "./diff";
import { fold } from "./fold";

const without = (kind: Piece["kind"], pieces: readonly Piece[]): string =>
  pieces
    .filter((piece) => piece.kind !== kind)
    .map((piece) => piece.text)
    .join("");
const all = (blocks: readonly Block[]): Piece[] => blocks.flatMap((block) => [...block.pieces]);

const PAIRS: [string, string][] = [
  ["", ""],
  ["", "new"],
  ["old", ""],
  ["Use tabs for Go.", "Use tabs for Go and Make."],
  ["one two three four five", "one three four two five six"],
  ["a\nb\nc\n", "a\nc\nd"],
  ["a\n\n\nb", "a\nb\n\n"],
  ["שלום עולם טוב", "שלום לעולם טוב מאוד"],
  ["family 👨‍👩‍👧 and flag 🇩🇪 here", "family 👨‍👩‍👦 and flag 🇫🇷 here"],
  ["<b>bold</b> <script>", "<i>bold</i> <script>"],
];

test.each(PAIRS)("both texts can be read back from the pieces of %j and %j", (before, after) => {
  const pieces = all(diffBlocks(before, after));
  expect(without("added", pieces)).toBe(before);
  expect(without("removed", pieces)).toBe(after);
});

test("both texts can be read back whatever they are", () => {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const words = ["tea ", "pot", "\n", " ", "été", "🫖", "."];
  const text = (): string => Array.from({ length: next(40) }, () => words[next(words.length)]).join("");
  for (let round = 0; round < 300; round++) {
    const [before, after] = [text(), text()];
    const pieces = all(diffBlocks(before, after));
    expect(without("added", pieces)).toBe(before);
    expect(without("removed", pieces)).toBe(after);
  }
});

test("only the word that changed is marked", () => {
  expect(diffWords("Builds run on Debian today.", "Builds run on Ubuntu today.")).toEqual([
    { kind: "same", text: "Builds run on " },
    { kind: "removed", text: "Debian" },
    { kind: "added", text: "Ubuntu" },
    { kind: "same", text: " today." },
  ]);
});

test("a lone space between two changed words does not tear them apart", () => {
  const pieces = diffWords("keep this: red fox, always", "keep this: grey wolf, always");
  expect(pieces).toContainEqual({ kind: "removed", text: "red fox" });
  expect(pieces).toContainEqual({ kind: "added", text: "grey wolf" });
});

test("texts with little in common are shown as replaced", () => {
  expect(diffWords("The cat sat on the mat.", "Rust needs nightly for this.")).toEqual([
    { kind: "removed", text: "The cat sat on the mat." },
    { kind: "added", text: "Rust needs nightly for this." },
  ]);
});

test("an emoji of several parts is never cut", () => {
  for (const piece of diffWords("see 👨‍👩‍👧 there now", "see 👨‍👩‍👦 there now")) {
    expect(piece.text).not.toMatch(/^\u200d|\u200d$/);
  }
});

test("lines that did not change form a block of their own", () => {
  const blocks = diffBlocks("a\nb\nc\n", "a\nB\nc\n");
  expect(blocks.map((block) => block.changed)).toEqual([false, true, false]);
});

test.each([
  ["one word of many", (text: string) => text.replace("word500 ", "other ")],
  ["every word", (text: string) => text.replaceAll("word", "term")],
  ["nothing in common", (text: string) => Array.from(text).toReversed().join("")],
  ["every second line", (text: string) => text.replaceAll(/word(\d*[02468]) /g, "w$1\n")],
])("100,000 characters with %s are compared in a bounded time", (_, change) => {
  const before = Array.from({ length: 11_000 }, (_, index) => `word${String(index)} `)
    .join("")
    .slice(0, 100_000);
  const after = change(before);
  const start = performance.now();
  const pieces = all(diffBlocks(before, after));
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(without("added", pieces)).toBe(before);
  expect(without("removed", pieces)).toBe(after);
});

test("a long unchanged text is folded between two changes and can be put together again", () => {
  for (const text of ["lorem ipsum ".repeat(100), "a line\n".repeat(100), "x".repeat(2_000)]) {
    const { head, hidden, tail } = fold(text, false, false);
    expect(head + hidden + tail).toBe(text);
    expect(hidden.length).toBeGreaterThan(text.length / 2);
    expect(head).not.toBe("");
    expect(tail).not.toBe("");
  }
});

test("what stands before the first change keeps only its end, what follows the last only its start", () => {
  const text = "a line\n".repeat(100);
  expect(fold(text, true, false).head).toBe("");
  expect(fold(text, false, true).tail).toBe("");
});

test("a short unchanged text is not folded", () => {
  expect(fold("a few words", false, false)).toEqual({ head: "a few words", hidden: "", tail: "" });
});

test("folding never cuts a character in two", () => {
  const { head, hidden, tail } = fold("🫖".repeat(800), false, false);
  for (const part of [head, hidden, tail]) expect(part).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
});
