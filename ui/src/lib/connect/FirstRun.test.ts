import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type HarnessRow } from "$lib/api/client";
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

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  harnesses.clear();
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
