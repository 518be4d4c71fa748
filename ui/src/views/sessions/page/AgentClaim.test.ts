import { expect, test } from "vitest";

import type { SessionClaim } from "$lib/api/client";
import { render } from "$lib/testing";

import AgentClaim from "./AgentClaim.svelte";

const OPEN: SessionClaim = {
  inboxId: "i 1",
  content: "Use make.",
  type: "rule",
  at: "2026-01-30T09:00:00Z",
  inboxStatus: "open",
  memoryId: null,
  memoryState: null,
  result: "suggested",
};

test.each([
  [OPEN, "Open", ["/inbox?item=i%201"]],
  [{ ...OPEN, inboxStatus: "done", result: "suggestion_dropped" }, "Suggested, dropped", ["/inbox?status=done&item=i%201"]],
  [
    { ...OPEN, inboxStatus: "done", result: "suggestion_kept", memoryId: "m1", memoryState: "forgotten" },
    "Suggested, keptForgotten",
    ["/inbox?status=done&item=i%201", "/memories/m1"],
  ],
] as const)("what the agent suggested links to its item, and to the memory that it became", (claim, state, links) => {
  const page = render(AgentClaim, { claim });
  expect(page.querySelector("blockquote")?.textContent).toBe("Use make.");
  expect([...page.querySelectorAll(".badge")].map(({ textContent }) => textContent).join("")).toBe(state);
  expect([...page.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(links);
});
