import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";

import { sourceApi, type MemorySource, type SourceMemory, type SourceRemovalPreview } from "$lib/api/sources";
import { render } from "$lib/testing";

import TakeBackDialog from "./TakeBackDialog.svelte";

const SESSION: MemorySource = { kind: "session", id: "7" };
const NOTHING: SourceRemovalPreview = {
  confirmToken: "t",
  label: "codex, session of 2026-11-27",
  count: 0,
  elsewhere: 0,
  memories: [],
  suggestions: 0,
  sessions: 1,
  messages: 0,
};
const memory = (change: Partial<SourceMemory>): SourceMemory => ({
  id: "m1",
  content: "Use pnpm.",
  type: "rule",
  pinned: false,
  elsewhere: false,
  ...change,
});
const of = (memories: SourceMemory[]): SourceRemovalPreview => ({
  ...NOTHING,
  memories,
  count: memories.length,
  elsewhere: memories.filter((one) => one.elsewhere).length,
});

function shown(first: SourceRemovalPreview, source = SESSION): HTMLElement {
  const dialog = render(TakeBackDialog, { source, first, ondone: vi.fn(), onclose: vi.fn() });
  flushSync();
  return dialog;
}

test.each([
  [of([memory({})]), "Forget 1 memory", ""],
  [{ ...NOTHING, suggestions: 3 }, "Drop 3 suggestions", ""],
  [{ ...NOTHING, messages: 5 }, "Delete 5 messages", ""],
  [of([memory({ pinned: true })]), "Forget", "pinned memories stay"],
  [of([memory({ elsewhere: true })]), "Forget", "unless you tick the box"],
  [NOTHING, "Forget", "There is nothing to forget"],
] as const)("with %o, its button says %s", (preview, act, text) => {
  const dialog = shown(preview);
  expect(dialog.textContent).toContain("Forget everything from this session?");
  const names = [...dialog.querySelectorAll("button")].map(({ textContent }) => textContent.trim());
  expect(names.some((name) => name.startsWith(act))).toBe(true);
  expect(dialog.textContent).toContain(text);
});

test("another source is named, and taken back", async () => {
  const file: MemorySource = { kind: "file", id: "/notes.md" };
  const dialog = shown({ ...of([memory({})]), label: "/notes.md", sessions: 0 }, file);
  expect(dialog.textContent).toContain("Take back all that came from “/notes.md”?");
  expect(dialog.textContent).toContain("the file isn’t read again");
  const takes = vi.spyOn(sourceApi, "takeBack").mockRejectedValue(new Error("offline"));
  [...dialog.querySelectorAll("button")].find(({ textContent }) => textContent.includes("Forget 1 memory"))?.click();
  await vi.waitFor(() => {
    expect(takes).toHaveBeenCalledWith(file, "t", false);
  });
});
