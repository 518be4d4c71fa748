import { flushSync } from "svelte";
import { afterEach, expect, test, vi } from "vitest";

import { importApi, type ImportSource } from "$lib/api/imports";
import { render } from "$lib/testing";

import { importableHistory } from "./import-sources.svelte";
import ImportNotice from "./ImportNotice.svelte";

const SOURCE: ImportSource = {
  id: "claude-code",
  kind: "harness",
  label: "Claude Code",
  place: "~/.claude/projects",
  sessions: 412,
  // What hooks have read counts as imported, too.
  imported: 1,
  bytes: 1,
  since: null,
  until: null,
  projects: [],
  expiring: 14,
  expiresAt: null,
  estimatedS: 1,
  problem: "",
};

async function shown(change: Partial<ImportSource>, running: string | null = null): Promise<HTMLElement> {
  const reads = vi.spyOn(importApi, "sources").mockResolvedValue({ sources: [{ ...SOURCE, ...change }], running });
  const notice = render(ImportNotice, {});
  await vi.waitFor(() => {
    expect(reads).toHaveBeenCalled();
    expect(importableHistory.phase).toBe("ready");
  });
  flushSync();
  return notice;
}

afterEach(() => {
  importableHistory.clear();
  localStorage.clear();
});

test("sessions that are about to be deleted are pointed out, until that is dismissed", async () => {
  const notice = await shown({});
  expect(notice.textContent).toContain("Claude Code will delete 14 sessions within 7 days.");
  [...notice.querySelectorAll("button")].find(({ textContent }) => textContent.includes("Dismiss"))?.click();
  flushSync();
  expect(notice.textContent).not.toContain("14 sessions");
  importableHistory.clear();
  expect((await shown({})).textContent).not.toContain("14 sessions");
});

test.each([
  [{ expiring: 0 }, null],
  [{}, "i1"],
])("nothing is said with %o while %s is imported", async (change, running) => {
  expect((await shown(change, running)).textContent.trim()).toBe("");
});
