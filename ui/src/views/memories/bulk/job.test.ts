import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryRow } from "$lib/api/client";
import { rowOf, type ListRow } from "$lib/memory/rows";
import { toasts } from "$lib/state/toasts.svelte";

import { MemoryRows } from "../list/rows.svelte";
import { MemoriesPage } from "../state/page.svelte";
import { pageActions } from "../state/actions";
import { BulkJob, type Page } from "./job.svelte";

function memory(id: string, more: Partial<MemoryRow> = {}): MemoryRow {
  return { id, content: id, type: "fact", tags: null, pinned: 0, project: null, agent_id: "default", visibility: "global", version: 1, created_at: "", ...more } as MemoryRow;
}

const row = (id: string, more: Partial<MemoryRow> = {}): ListRow => rowOf(memory(id, more));
const nothing = (): void => undefined;
const newer = (version: unknown): number => Number(version ?? 0) + 1;
const page: Page = { hold: () => nothing, keep: nothing, forgotten: nothing, changed: nothing };
let modified: unknown[];

/** The daemon does what it is told, and each change is a version. */
function obey(): void {
  vi.spyOn(api, "modifyMany").mockImplementation((patches) => {
    modified = [...modified, ...patches];
    return Promise.resolve(patches.map(({ id, if_version }) => ({ id, status: "updated", newVersion: newer(if_version) })) as never);
  });
}

beforeEach(() => {
  modified = [];
  obey();
});

afterEach(() => {
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

test("what a note offered to undo is not undone any more when the note is gone", async () => {
  vi.spyOn(MemoryRows.prototype, "hear").mockImplementation(nothing);
  const memories = new MemoriesPage();
  await memories.job.change({ kind: "pinned", pinned: true }, [row("a")]);
  const actions = pageActions(memories, { focusSearch: nothing, showFilters: nothing });
  const undoes = (): unknown => toasts.undoable ?? actions.find((one) => one.keys.includes("u") && one.when?.() !== false);
  expect(undoes()).toBeDefined();
  for (const toast of toasts.all) toasts.dismiss(toast.id);
  expect(undoes()).toBeUndefined();
});

test("an undo that comes while other work runs stays offered, says so, and is done after that", async () => {
  const job = new BulkJob(page);
  await job.change({ kind: "pinned", pinned: true }, [row("a")]);
  let end = nothing;
  const other = job.collect("Selecting", 1, () => new Promise<void>((resolve) => { end = resolve; }));
  toasts.undo();
  expect(toasts.undoable?.hint).toBe("Selecting goes on. Undo it after that.");
  end();
  await other;
  toasts.undo();
  await vi.waitFor(() => { expect(modified).toContainEqual({ id: "a", if_version: 2, pinned: false }); });
});
