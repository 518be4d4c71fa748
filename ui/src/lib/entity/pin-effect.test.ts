import { expect, test } from "vitest";

import type { PreviewLine, PreviewReply } from "$lib/api/client";

import { changesText, lineChanges } from "./pin-effect.svelte";

const reply = (...ids: string[]): PreviewReply => ({ start: { lines: ids.map((memoryId) => ({ memoryId })) } }) as unknown as PreviewReply;
const lines = (count: number): PreviewLine[] => Array.from({ length: count }, () => ({}) as PreviewLine);

test("what is told before and after is compared by memory", () => {
  const { added, removed } = lineChanges(reply("a", "b", "c"), reply("d", "a", "e", "c"));
  expect([added, removed].map((all) => all.map(({ memoryId }) => memoryId))).toEqual([["d", "e"], ["b"]]);
});

test.each([
  [3, 1, "+3 lines, −1 line"],
  [1, 0, "+1 line"],
  [0, 2, "−2 lines"],
  [0, 0, ""],
])("%i added and %i removed read %j", (added, removed, text) => {
  expect(changesText({ added: lines(added), removed: lines(removed) })).toBe(text);
});
