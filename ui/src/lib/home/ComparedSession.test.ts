import { expect, test } from "vitest";

import type { ContextPreview } from "$lib/api/client";
import { render } from "$lib/testing";

import ComparedSession from "./ComparedSession.svelte";

const TOLD: ContextPreview["sessions"][number] = {
  id: "7",
  harness: "claude-code",
  title: "Retry the export",
  at: "2026-01-30T09:00:00Z",
  score: 2.4,
  floor: 1.6,
  shown: true,
  reason: "It matches the prompt best.",
  lines: [
    { text: "At most five retries.", kind: "memory", speaker: "the user said", memoryId: "m1" },
    { text: "Full jitter it is.", kind: "proposal", speaker: "the agent proposed, and the user agreed", memoryId: null },
    { text: "The jitter is full.", kind: "recap", speaker: "the agent's summary", memoryId: null },
  ],
};

const textOf = (page: Element, selector: string): string | undefined =>
  page.querySelector(selector)?.textContent.replace(/\s+/gu, " ").trim();

test("a session that is told links to its page, and says its score, its floor and its lines", () => {
  const page = render(ComparedSession, { compared: TOLD });
  expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["/sessions/7", "/memories/m1"]);
  expect(textOf(page, ".score")).toBe("Score 2.40, needs 1.60. It matches the prompt best.");
  expect([...page.querySelectorAll("li")].map((line) => line.textContent.trim())).toEqual([
    "the user said: At most five retries.",
    "the agent proposed, and the user agreed: Full jitter it is.",
    "the agent's summary: The jitter is full.",
  ]);
});

test("a session without a page is no link", () => {
  const page = render(ComparedSession, { compared: { ...TOLD, id: "0", shown: false, lines: [] } });
  expect(page.querySelector("a[href]")).toBeNull();
});
