import { expect, test } from "vitest";

import type { ContextPreview, PreviewLine } from "$lib/api/client";

import { replacedText, unsettledText, withChange, withoutLine, wordsOf } from "./preview-block";

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
    wordedAt: "",
    reason: "rule",
    score: 1,
    tokens: 5,
  };
}

function preview(...lines: PreviewLine[]): ContextPreview {
  const text = ["<notes>", "Quoted.", ...lines.map((each) => each.line), "</notes>"].join("\n");
  return { text, tokens: 40, budget: 100, characters: text.length, maxCharacters: 900, sessions: [], lines, leftOut: [], heldBack: 0 };
}

test("a line is shown by its words; what is left out by its whole text", () => {
  expect(wordsOf(line("a", "Use (only) pnpm"))).toBe("Use (only) pnpm");
  expect(wordsOf({ ...line("a", "Use pnpm"), line: "" })).toBe("Use pnpm");
});

test("a line that a later session may have replaced says so beside its words", () => {
  const marked = { ...line("a", "Use pnpm"), line: "- Use pnpm (2026-01-31, may be replaced on 2026-02-03)" };
  expect([wordsOf(marked), replacedText(marked)]).toEqual(["Use pnpm", "may be replaced on 2026-02-03"]);
  const open = { ...line("a", "Use pnpm"), line: "- Use pnpm (unsettled: an older note says otherwise, 2026-01-31)" };
  expect([wordsOf(open), unsettledText(open)]).toEqual(["Use pnpm", "unsettled: an older note says otherwise"]);
  expect(unsettledText(line("a", "It is unsettled: an older note says otherwise"))).toBe("");
  expect(replacedText(line("a", "It may be replaced on 2026-02-03"))).toBe("");
});

test("a line that is taken out leaves the text, with its tokens", () => {
  const found = withoutLine(preview(line("a", "Use $& pnpm"), line("b", "Push")), "a");
  expect([found.lines.length, found.tokens]).toEqual([1, 35]);
  expect(found.text).toBe(preview(line("b", "Push")).text);
});

test("a changed line is shown in place of the former", () => {
  const found = withChange(preview(line("a", "Use npm"), line("b", "Push")), "a", { content: "Use $' pnpm,\nonly" });
  expect(found.lines.map(wordsOf)).toEqual(["Use $' pnpm, only", "Push"]);
  expect(found.text).toBe(["<notes>", "Quoted.", ...found.lines.map((each) => each.line), "</notes>"].join("\n"));
});
