import { expect, test } from "vitest";

import type { ContextPreview, PreviewLine } from "$lib/api/client";

import { blockParts, withChange, withoutLine, wordsOf } from "./preview-block";

function line(memoryId: string, text: string): PreviewLine {
  return {
    memoryId,
    content: text,
    line: `- ${text} (2026-01-31)`,
    type: "rule",
    version: 1,
    pinned: false,
    byAgent: false,
    group: "about",
    constraint: false,
    basis: null,
    project: null,
    createdAt: "",
    reason: "rule",
    score: 1,
    tokens: 5,
  };
}

function preview(...lines: PreviewLine[]): ContextPreview {
  const text = ["<notes>", "Quoted.", ...lines.map((each) => each.line), "</notes>"].join("\n");
  return { text, tokens: 40, budget: 100, characters: text.length, maxCharacters: 900, sessions: [], lines, leftOut: [], heldBack: 0 };
}

function joined(of: ContextPreview): string {
  return blockParts(of)
    .map((part) => (part.kind === "line" ? part.line.line : part.text))
    .join("\n");
}

test("the parts are the whole text, also where a line is a part of another", () => {
  const found = preview(line("a", "Use pnpm here"), line("b", "Use pnpm"));
  expect(blockParts(found).map((part) => part.kind)).toEqual(["frame", "line", "line", "frame"]);
  expect(joined(found)).toBe(found.text);
});

test("a line has its words, between its lead and its date; what is left out has its whole text", () => {
  expect(wordsOf(line("a", "Use (only) pnpm"))).toEqual({ lead: "- ", words: "Use (only) pnpm", tail: " (2026-01-31)" });
  expect(wordsOf({ ...line("a", "Use pnpm"), line: "" })).toEqual({ lead: "", words: "Use pnpm", tail: "" });
});

test("a line that is taken out leaves the text, with its tokens", () => {
  const found = withoutLine(preview(line("a", "Use $& pnpm"), line("b", "Push")), "a");
  expect([found.lines.length, found.tokens]).toEqual([1, 35]);
  expect(found.text).toBe(preview(line("b", "Push")).text);
});

test("a changed line is shown in place of the former", () => {
  const found = withChange(preview(line("a", "Use npm"), line("b", "Push")), "a", { content: "Use $' pnpm,\nonly" });
  expect(found.lines.map((each) => wordsOf(each).words)).toEqual(["Use $' pnpm, only", "Push"]);
  expect(joined(found)).toBe(found.text);
});
