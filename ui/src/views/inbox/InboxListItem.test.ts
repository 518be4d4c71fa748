import { expect, test } from "vitest";

import type { InboxRow } from "$lib/api/client";
import { render } from "$lib/testing";

import InboxListItem from "./InboxListItem.svelte";

const memory = (id: string, content: string): InboxRow["memories"][number] => ({
  id,
  content,
  type: "rule",
  created: "2026-01-01T12:00:00Z",
  forgotten: false,
});
const CONTRADICTION = {
  id: "c",
  kind: "contradiction",
  status: "open",
  content: "Use Vitest.",
  project: null,
  created: "2026-11-21T12:00:00Z",
  decided: null,
  evidence: [],
} as Partial<InboxRow> as InboxRow;

function titleOf(memories: InboxRow["memories"]): string | undefined {
  const page = render(InboxListItem, { row: { ...CONTRADICTION, memories }, q: "", isSelected: false, isSelecting: false });
  return page.querySelector(".title")?.textContent.replaceAll(/\s+/gu, " ").trim();
}

test("a contradiction's row shows the older memory, too, as long as there is one", () => {
  expect(titleOf([memory("m1", "Use Jest."), memory("m2", "Use Vitest.")])).toBe("Use Vitest.older: Use Jest.");
  expect(titleOf([memory("m2", "Use Vitest.")])).toBe("Use Vitest.");
});
