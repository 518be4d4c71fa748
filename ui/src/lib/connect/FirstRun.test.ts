import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type HarnessRow } from "$lib/api/client";
import { importApi, type ImportSource } from "$lib/api/imports";
import { importableHistory } from "$lib/import/import-sources.svelte";
import { importListing } from "$lib/import/import-listing.svelte";
import { render } from "$lib/testing";

import FirstRun from "./FirstRun.svelte";
import { harnesses } from "./harnesses.svelte";

const ROW: HarnessRow = {
  name: "My Agent",
  id: "my-agent",
  path: "/s",
  exists: true,
  lastSeen: null,
  connection: "not",
  reason: "",
  hint: "",
  command: "intaglio connect my-agent",
  tools: "registered",
  toolsReason: "",
  lastEvent: null,
  leftOver: false,
  concerns: [],
  drivenVersion: "",
};

const SOURCE: ImportSource = {
  id: "my-agent",
  kind: "harness",
  label: "My Agent",
  place: "/h",
  sessions: 412,
  imported: 0,
  bytes: 1,
  since: null,
  until: null,
  projects: [],
  expiring: 14,
  expiresAt: null,
  estimatedS: 1,
  problem: "",
};

beforeEach(() => {
  vi.spyOn(importApi, "sources").mockResolvedValue({ sources: [], running: null });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  harnesses.clear();
  importableHistory.clear();
});

test.each([
  [{}, 0, "Connect an agent", true],
  [{ connection: "connected" }, 1, "Start a session", true],
  [{ connection: "connected", lastSeen: "2026-03-04T11:00:00Z" }, 2, "State a decision or a rule", false],
] satisfies [Partial<HarnessRow>, number, string, boolean][])("with %o, %d steps are done", async (change, done, current, isFirstRun) => {
  vi.spyOn(api, "harnesses").mockResolvedValue({ harnesses: [{ ...ROW, ...change }], mcp: { command: "python", args: [], url: "" } });
  const page = render(FirstRun, {});
  await vi.advanceTimersByTimeAsync(200);
  flushSync();
  expect(page.querySelectorAll("[aria-label=Done]").length).toBe(done);
  expect(page.querySelector("[aria-current=step] h3")?.textContent).toBe(current);
  expect([harnesses.isFirstRun, harnesses.isUnconnected]).toEqual([isFirstRun, done === 0]);
});

test("sessions from before are offered, with those that are about to be deleted", async () => {
  vi.spyOn(api, "harnesses").mockResolvedValue({ harnesses: [ROW], mcp: { command: "python", args: [], url: "" } });
  vi.spyOn(importApi, "sources").mockResolvedValue({ sources: [SOURCE], running: null });
  const page = render(FirstRun, {});
  await vi.advanceTimersByTimeAsync(200);
  flushSync();
  const offer = page.querySelector('[aria-labelledby="first-run-import"]')?.textContent;
  expect(offer).toContain("412 earlier sessions of My Agent");
  expect(offer).toContain("My Agent will delete 14 sessions within 7 days.");
  expect(importListing.isListed).toBe(true);
});
