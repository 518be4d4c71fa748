import { expect, test } from "vitest";

import { render } from "$lib/testing";

import ToldMemories from "./ToldMemories.svelte";

const NOTHING = { lines: [], sessions: [], commits: [], words: [], more: 0, event: "session_start" };

test.each([
  [0, "none", "Told nothing."],
  [36, "kept", "Told no memory."],
  [36, "erased", "Told what was forgotten since."],
])("of %i tokens without a memory whose text is %s, it says so", (tokens, textState, said) => {
  const told = { ...NOTHING, tokens, textState } as never;
  const page = render(ToldMemories, { told, open: false, verb: "Told", feedback: {} as never, sessionId: "8" });
  expect(page.textContent.trim()).toBe(said);
});

test("a session that is told of without a score says why", () => {
  const session = { id: "7", harness: "codex", title: "Invoices", at: "2026-01-31T09:00:00.000Z", score: 0, floor: 0, shown: true };
  const sessions = [{ ...session, reason: "It is the project's last session, which broke off." }];
  const told = { ...NOTHING, sessions, tokens: 50, text: null, textState: "expired", at: session.at } as never;
  const page = render(ToldMemories, { told, open: true, verb: "Told", feedback: {} as never, sessionId: "8" });
  expect(page.querySelector(".from")?.textContent).toContain(" · It is the project's last session, which broke off.");
});

test("a session that is told where it stood itself isn't a past one", () => {
  const session = { id: "8", harness: "codex", title: "Invoices", at: "2026-01-31T09:00:00.000Z", score: 0, floor: 0, shown: true };
  const sessions = [{ ...session, reason: "It is this session, before its conversation was compacted." }];
  const told = { ...NOTHING, sessions, tokens: 50, text: null, textState: "expired", at: session.at } as never;
  const page = render(ToldMemories, { told, open: true, verb: "Told", feedback: {} as never, sessionId: "8" });
  expect(page.querySelector("summary")?.textContent).toMatch(/Told\s+where it stood/u);
  expect(page.textContent).not.toContain("past session");
  expect(page.querySelector(".from a")).toBeNull();
});
