import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";

import { render } from "$lib/testing";

import AgentsSection from "./AgentsSection.svelte";
import AttentionList from "./AttentionList.svelte";
import DomainDials from "./domains/DomainDials.svelte";
import { agent, domain, issue, report } from "./testing";
import Verdict from "./Verdict.svelte";

const words = (element: Element | null): string => element?.textContent.replaceAll(/\s+/gu, " ").trim() ?? "";

test("each issue has exactly one action", () => {
  const issues = [
    issue({ id: "a", action: "repair", repair: "check-fts", page: "/help/status", command: "intaglio repair" }),
    issue({ id: "b", page: "/connections", command: "intaglio connect" }),
    issue({ id: "c", command: "intaglio daemon logs" }),
    issue({ id: "d" }),
    issue({ id: "e", level: "info" }),
  ];
  const onaction = vi.fn();
  const list = render(AttentionList, { issues, isStale: false, onaction });
  expect([...list.querySelectorAll("li .act")].map((act) => words(act))).toEqual([
    "Repair…",
    "Connections",
    "Copy command",
    "What to do",
    "",
  ]);
  list.querySelector("button")?.click();
  expect(onaction).toHaveBeenCalledWith(issues[0]);
});

test("the first lines say whether all is well, who spoke last, and when the last backup was", () => {
  const agents = [agent({ label: "Codex", lastEventAt: null }), agent(), agent({ label: "OpenCode", lastEventAt: "2026-03-01T08:00:00Z" })];
  const shown = render(Verdict, { report: report({ agents }), isStale: false });
  expect(words(shown.querySelector("h2"))).toBe("Claude Code is connected; it last spoke 3 minutes ago.");
  expect(words(shown.querySelector("[role=status]"))).toBe("Nothing needs your attention.");
  expect(words(shown.querySelector("dl"))).toMatch(/^Spoke last Claude Code, .* \(prompt\) Last backup .* Restore test Passed/);
});

test("without an answer, the page doesn't say that all is well", () => {
  const shown = render(Verdict, { report: report(), isStale: true });
  expect(words(shown.querySelector("h2"))).toBe("Current status unknown.");
});

test("a dial opens its checks and closes them", () => {
  const page = render(DomainDials, { domains: [domain(), domain({ name: "queue", title: "Queue", checks: [] })], at: report().at });
  const tile = page.querySelector("button");
  expect(tile?.getAttribute("aria-expanded")).toBe("false");
  tile?.click();
  flushSync();
  expect(tile?.getAttribute("aria-expanded")).toBe("true");
  expect(words(page.querySelector("[aria-label='Checks of Storage']"))).toContain("Counts memories.");
  tile?.click();
  flushSync();
  expect(page.querySelector("[aria-label='Checks of Storage']")).toBeNull();
});

test("who spoke last is first among the agents, and an agent that isn't there is left out", () => {
  const agents = [
    agent({ harness: "codex", label: "Codex", lastEventAt: null }),
    agent(),
    agent({ harness: "opencode", label: "OpenCode", isInstalled: false, state: "not" }),
  ];
  const page = render(AgentsSection, { agents });
  expect([...page.querySelectorAll("tbody th span.medium")].map((name) => name.textContent)).toEqual(["Claude Code", "Codex"]);
});
