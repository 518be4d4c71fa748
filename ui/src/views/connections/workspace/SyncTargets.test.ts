import { flushSync } from "svelte";
import { expect, it, vi } from "vitest";

import { workspaceApi, type SyncTarget, type WorkspaceState } from "$lib/api/workspace";
import { toasts } from "$lib/state/toasts.svelte";
import { render } from "$lib/testing";

import SyncTargets from "./SyncTargets.svelte";

const TARGET: SyncTarget = {
  id: "my-agent",
  label: "My Agent",
  path: "/home/kim/.my/AGENTS.md",
  state: "synced",
  synced: "2026-03-04T12:00:00Z",
  reason: "",
  hint: "",
  item: null,
};

function shown(target: Partial<SyncTarget>, enabled = true): HTMLElement {
  return render(SyncTargets, { targets: [{ ...TARGET, ...target }], enabled });
}

it("says why a file can't be written, and what to do", () => {
  const page = shown({ state: "refused", reason: "The file is read-only.", hint: "Make it writable." });
  expect(page.textContent).toContain("The file is read-only. Make it writable.");
});

it("leads from an edited block to its item in the inbox", () => {
  const link = shown({ state: "conflict", item: "i1" }).querySelector("a[href^='/inbox']");
  expect([link?.getAttribute("href"), link?.textContent]).toEqual(["/inbox?item=i1", "Decide on My Agent in the inbox"]);
});

it("names the agents that aren't connected, without a row for each", () => {
  const page = shown({ state: "disconnected" });
  expect(page.textContent).toContain("Not connected: My Agent.");
  expect(page.querySelector("li")).toBeNull();
});

it("can't be switched while sync is off as a whole", () => {
  expect(shown({}, false).querySelector<HTMLInputElement>("[role=switch]")?.disabled).toBe(true);
});

it("switches a file off, and on again if that is undone", async () => {
  const call = vi.spyOn(workspaceApi, "switchTarget").mockResolvedValue({ targets: [] } as unknown as WorkspaceState);
  shown({}).querySelector<HTMLInputElement>("[role=switch]")?.click();
  flushSync();
  await vi.waitFor(() => {
    expect(toasts.all.at(-1)?.text).toBe("My Agent: sync is off.");
  });
  toasts.undo();
  await vi.waitFor(() => {
    expect(call.mock.calls).toEqual([
      ["my-agent", false],
      ["my-agent", true],
    ]);
  });
});
