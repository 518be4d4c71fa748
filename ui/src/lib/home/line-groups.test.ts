import { expect, test } from "vitest";

import type { PreviewLine } from "$lib/api/client";

import { foldedLines, groupsOf } from "./line-groups";

function line(memoryId: string, more: Partial<PreviewLine> = {}): PreviewLine {
  return { memoryId, group: "about", ...more } as PreviewLine;
}

const ids = (lines: readonly PreviewLine[]): string[] => lines.map(({ memoryId }) => memoryId);

test("groups stand in the order in which they are told", () => {
  const groups = groupsOf([line("a", { group: "rules" }), line("b"), line("c", { group: "decided" }), line("d")]);
  expect(groups.map(({ name, lines }) => [name, ids(lines)])).toEqual([
    ["Rules for this project", ["a"]],
    ["About this project", ["b", "d"]],
    ["Decided", ["c"]],
  ]);
});

test("of many lines a group shows the first, and the one in use", () => {
  const lines = Array.from("abcdefgh", (id) => line(id));
  const group = { name: "Rules", lines };
  expect(ids(foldedLines(group, 40, "g"))).toEqual(["a", "b", "c", "d", "e", "g"]);
  expect(ids(foldedLines(group, 8, undefined))).toHaveLength(8);
  // One more line takes no more room than the button that shows it.
  expect(foldedLines({ ...group, lines: lines.slice(0, 6) }, 40, undefined)).toHaveLength(6);
});
