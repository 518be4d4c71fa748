import { expect, test } from "vitest";

import type { ContextPreview, PreviewLine } from "$lib/api/client";

import { withChange, withoutLine } from "./preview-block";

function line(memoryId: string, text: string): PreviewLine {
  return {
    memoryId,
    content: text,
    line: `- ${text} (2026-01-31)`,
    type: "rule",
    version: 1,
    pinned: false,
    byAgent: false,
    words: text,
    marks: [],
    group: "about",
    constraint: false,
    basis: null,
    project: null,
    createdAt: "",
    wordedAt: "",
    reason: "rule",
    score: 1,
    tokens: 5,
  };
}

function preview(...lines: PreviewLine[]): ContextPreview {
  const text = ["<notes>", "Quoted.", ...lines.map((each) => each.line), "</notes>"].join("\n");
  return {
    text,
    tokens: 40,
    budget: 100,
    characters: text.length,
    maxCharacters: 900,
    sessions: [],
    commits: [],
    lines,
    leftOut: [],
    heldBack: 0,
  };
}

test("a line that is taken out leaves the text, with its tokens", () => {
  const found = withoutLine(preview(line("a", "Use $& pnpm"), line("b", "Push")), "a");
  expect([found.lines.length, found.tokens]).toEqual([1, 35]);
  expect(found.text).toBe(preview(line("b", "Push")).text);
});

test("a changed line is shown in place of the former", () => {
  const found = withChange(preview(line("a", "Use npm"), line("b", "Push")), "a", { content: "Use $' pnpm,\nonly" });
  expect(found.lines.map(({ words }) => words)).toEqual(["Use $' pnpm, only", "Push"]);
  expect(found.text).toBe(["<notes>", "Quoted.", ...found.lines.map((each) => each.line), "</notes>"].join("\n"));
});
