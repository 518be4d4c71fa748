import { expect, test } from "vitest";

import type { ContextPreview, PreviewLine } from "$lib/api/client";

import { changeText, marked, toldItems } from "./difference";

function line(memoryId: string, words = memoryId): PreviewLine {
  return { memoryId, words, group: "rules" } as PreviewLine;
}

function preview(lines: string[], more: Partial<ContextPreview> = {}): ContextPreview {
  return { lines: lines.map((id) => line(id)), sessions: [], commits: [], ...more } as unknown as ContextPreview;
}

function shown(now: ContextPreview, then: ContextPreview): string[] {
  const signs = { added: "+", removed: "-", same: "=" };
  return marked(toldItems(now), toldItems(then)).map(({ item, mark }) => `${signs[mark]}${item.key.split(" ")[1] ?? ""}`);
}

test("lines that come and go stand where they are told", () => {
  expect(shown(preview(["a", "b", "c"]), preview(["a", "x", "c"]))).toEqual(["=a", "-b", "+x", "=c"]);
  expect(shown(preview(["a", "b"]), preview([]))).toEqual(["-a", "-b"]);
  expect(shown(preview([]), preview(["a"]))).toEqual(["+a"]);
});

test("what is told in another order is marked once", () => {
  expect(shown(preview(["a", "b", "c", "d"]), preview(["c", "a"])).toSorted()).toEqual(["-b", "-d", "=a", "=c"]);
});

test("a past session of which less is told is another line, and what isn't told is none", () => {
  const session = (texts: string[], isShown = true) =>
    ({ id: "7", shown: isShown, lines: texts.map((text) => ({ text })) }) as ContextPreview["sessions"][number];
  const now = preview([], { sessions: [session(["Use make.", "Use SQLite."])] });
  expect(shown(now, preview([], { sessions: [session(["Use make."])] }))).toEqual(["-7", "+7"]);
  expect(shown(now, preview([], { sessions: [session([], false)] }))).toEqual(["-7"]);
});

test("a sentence says what changes", () => {
  const text = (now: string[], then: string[], tokens: number) =>
    changeText(marked(toldItems(preview(now)), toldItems(preview(then))), tokens);
  expect(text(["a", "b", "c", "d"], ["a"], -210)).toBe("3 fewer lines, 210 fewer tokens.");
  expect(text(["a"], ["a", "b"], 1)).toBe("1 more line, 1 more token.");
  expect(text(["a"], ["b"], 0)).toBe("1 more line, 1 fewer line.");
  expect(text(["a"], ["a"], 0)).toBe("Nothing changes.");
});
