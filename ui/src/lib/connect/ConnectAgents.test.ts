import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type HarnessRow, type McpEndpoints } from "$lib/api/client";
import { render } from "$lib/testing";

import ConnectAgents from "./ConnectAgents.svelte";
import { harnesses } from "./harnesses.svelte";

const COMMAND = "/opt/intaglio/bin/intaglio connect my-agent";
const MCP: McpEndpoints = { command: "python", args: ["mcp.py"], url: "http://127.0.0.1:1/mcp" };
const ROW: HarnessRow = {
  name: "My Agent",
  id: "my-agent",
  path: "/s",
  exists: true,
  lastSeen: null,
  connection: "not",
  reason: "",
  hint: "",
  command: COMMAND,
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

async function shown(...answers: Partial<HarnessRow>[]): Promise<HTMLElement> {
  const read = vi.spyOn(api, "harnesses");
  for (const change of answers) read.mockResolvedValueOnce({ harnesses: [{ ...ROW, ...change }], mcp: MCP });
  const page = render(ConnectAgents, {});
  await settled();
  return page;
}

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(200);
  flushSync();
}

test("the command is shown as it can be typed, with a button that copies it", async () => {
  const page = await shown({});
  expect(page.querySelector("code")?.textContent).toBe(COMMAND);
  const copied = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText: copied } });
  page.querySelector<HTMLButtonElement>("button[aria-label='Copy']")?.click();
  vi.unstubAllGlobals();
  expect(copied).toHaveBeenCalledExactlyOnceWith(COMMAND);
});

test("whoever comes back from the terminal sees that it is connected", async () => {
  const page = await shown({}, { connection: "connected" });
  dispatchEvent(new Event("focus"));
  await settled();
  expect(page.textContent).toContain("Start a new session in My Agent.");
  expect(page.querySelector("button")).toBeNull();
});

test("the first event is seen as it arrives, and announced", async () => {
  const page = await shown({ connection: "connected" }, { connection: "connected", lastSeen: new Date().toISOString() });
  harnesses.handleChange({ topic: "memory", what: "added", ids: ["1"] });
  await settled();
  expect(page.textContent).toContain("waiting for its first event");
  harnesses.handleChange({ topic: "harnesses", what: "updated", ids: ["my-agent"] });
  await settled();
  expect(page.querySelector("[role=status]")?.textContent).toBe("My Agent: Connected.");
  expect(page.querySelector("li")?.textContent).toContain("last event just now");
});

test("agents that aren't on this computer are folded, unless there is no other", async () => {
  const read = vi.spyOn(api, "harnesses");
  const absent = { ...ROW, id: "absent", name: "Absent Agent", exists: false };
  for (const rows of [[ROW, absent], [absent]]) {
    read.mockResolvedValueOnce({ harnesses: rows, mcp: MCP });
    const page = render(ConnectAgents, {});
    await settled();
    const folded = page.querySelector<HTMLDetailsElement>("details:has(> ul)");
    expect(folded?.open).toBe(rows.length === 1);
    expect(folded?.textContent).toContain("Absent Agent");
    expect(page.querySelectorAll("ul")).toHaveLength(rows.length);
    harnesses.clear();
  }
});
