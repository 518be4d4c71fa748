import { expect, test } from "vitest";

import type { SessionReminder } from "$lib/api/client";
import { render } from "$lib/testing";

import SaveReminder from "./SaveReminder.svelte";

const GIVEN: SessionReminder = {
  id: 1,
  promptId: null,
  at: "2026-01-30T09:00:00.000Z",
  wording: 1,
  tokens: 46,
  confidence: 0.42,
  outcome: "nothing",
  results: [],
};

const NOTHING = { claims: [], statements: [] };
const CLAIM = {
  inboxId: "i1",
  content: "Use make.",
  type: "rule",
  at: GIVEN.at,
  inboxStatus: "done",
  memoryId: null,
  memoryState: null,
  result: "suggestion_dropped" as const,
};

const links = (page: ParentNode): (string | null)[] => [...page.querySelectorAll("a")].map((link) => link.getAttribute("href"));

test("a reminder says what came of it and what it cost", () => {
  const page = render(SaveReminder, { reminder: GIVEN, session: NOTHING });
  expect(links(page)).toEqual([]);
  expect(page.textContent.replace(/\s+/gu, " ").trim()).toBe("Nothing to save 46 tokens 42 %");
});

test("what the agent saved or suggested is one click away", () => {
  const results = [
    { result: "saved" as const, memoryId: "m1", inboxId: null },
    { result: "suggested" as const, memoryId: null, inboxId: "i1" },
  ];
  const reminder = { ...GIVEN, outcome: "saved" as const, results };
  expect(links(render(SaveReminder, { reminder, session: NOTHING }))).toEqual(["/memories/m1", "/inbox?item=i1"]);
  const decided = render(SaveReminder, { reminder, session: { claims: [CLAIM], statements: [] } });
  expect(links(decided)).toEqual(["/memories/m1", "/inbox?status=done&item=i1"]);
});
