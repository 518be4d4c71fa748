import { expect, test } from "vitest";

import type { MemoryRow } from "$lib/api/client";
import { rowOf } from "$lib/memory/rows";
import { render } from "$lib/testing";

import { NEWEST } from "./arrangement.svelte";
import MemoryListItem from "./MemoryListItem.svelte";

const MEMORY = {
  id: "m1",
  content: "Use Jest.",
  type: "rule",
  tags: null,
  project: null,
  version: 1,
  agent_id: "default",
  importance: 0.5,
};

test.each([
  ["current", null],
  ["replaced", "Replaced"],
  ["disputed", "Disputed"],
] as const)("a row says of a %s memory whether it holds", (status, mark) => {
  const row = rowOf({ ...MEMORY, created_at: "2026-11-21T12:00:00Z", status } as MemoryRow);
  const page = render(MemoryListItem, { row, query: "", isSelected: false, isSelecting: false, arrangement: NEWEST });
  expect(page.querySelector(".aside")?.textContent.trim() ?? null).toBe(mark);
});
