import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryRow } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { rowOf, type ListRow } from "$lib/memory/rows";
import { toasts } from "$lib/state/toasts.svelte";

import { MemoryRows } from "../list/memory-rows.svelte";
import { MemoriesPage } from "./memories-page.svelte";
import { pageShortcuts } from "./page-shortcuts";
import { BulkJob, type Page } from "$lib/memory/bulk/bulk-job.svelte";

function memory(id: string, more: Partial<MemoryRow> = {}): MemoryRow {
  return {
    id,
    content: id,
    type: "fact",
    tags: null,
    pinned: 0,
    project: null,
    agent_id: "default",
    visibility: "global",
    version: 1,
    created_at: "",
    ...more,
  } as MemoryRow;
}

const row = (id: string, more: Partial<MemoryRow> = {}): ListRow => rowOf(memory(id, more));
const nothing = (): void => undefined;
const newer = (patch: object): number => ("if_version" in patch ? Number(patch.if_version) : 0) + 1;
const page: Page = { hold: () => nothing, keep: (ids) => ids.length, forgotten: nothing, changed: nothing };
let modified: unknown[];

/** The daemon does what it is told, and each change is a version. */
function obey(): void {
  vi.spyOn(api, "modifyMany").mockImplementation((patches) => {
    modified = [...modified, ...patches];
    return Promise.resolve(patches.map((patch) => ({ id: patch.id, status: "updated", newVersion: newer(patch) })) as never);
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
  vi.spyOn(MemoryRows.prototype, "handleChange").mockImplementation(nothing);
  const memories = new MemoriesPage();
  await memories.job.change({ kind: "pinned", pinned: true }, [row("a")]);
  const actions = pageShortcuts(memories, () => undefined);
  const undoes = (): unknown => toasts.undoable ?? actions.find((one) => one.keys.includes("u") && one.when?.() !== false);
  expect(undoes()).toBeDefined();
  for (const toast of toasts.all) toasts.dismiss(toast.id);
  expect(undoes()).toBeUndefined();
});

test("an undo that comes while other work runs stays offered, says so, and is done after that", async () => {
  const job = new BulkJob(page);
  await job.change({ kind: "pinned", pinned: true }, [row("a")]);
  let end = nothing;
  const other = job.collect(
    "Selecting",
    1,
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  toasts.undo();
  expect(toasts.undoable?.hint).toBe("Selecting is still running. Undo it afterwards.");
  end();
  await other;
  toasts.undo();
  await vi.waitFor(() => {
    expect(modified).toContainEqual({ id: "a", if_version: 2, pinned: false });
  });
});

const broken = new ApiError(500, { code: "x", title: "t", detail: "It is broken." });
const pinned = row("a", { pinned: 1 });

test("what was unpinned to be forgotten is pinned again where forgetting fails", async () => {
  vi.spyOn(api, "forgetMany").mockRejectedValue(broken);
  await new BulkJob(page).forget([pinned, row("b")], true);
  expect(modified).toEqual([
    { id: "a", if_version: 1, pinned: false },
    { id: "a", if_version: 2, pinned: true },
  ]);
  expect(toasts.all[0]).toMatchObject({
    text: "Nothing was forgotten.",
    hint: "Stopped: It is broken. 2 not processed. They're still selected.",
  });
});

test("what was unpinned to be forgotten is pinned again where that is cancelled", async () => {
  const forget = vi.spyOn(api, "forgetMany");
  const job = new BulkJob(page);
  vi.spyOn(api, "modifyMany").mockImplementationOnce((patches) => {
    modified = [...modified, ...patches];
    job.cancel();
    return Promise.resolve([{ id: "a", status: "updated", newVersion: 2 }] as never);
  });
  await job.forget([pinned], true);
  expect(forget).not.toHaveBeenCalled();
  expect(modified).toEqual([
    { id: "a", if_version: 1, pinned: false },
    { id: "a", if_version: 2, pinned: true },
  ]);
});

test("what cannot be unpinned, or not be pinned again, is told", async () => {
  vi.spyOn(api, "forgetMany").mockRejectedValue(broken);
  vi.spyOn(api, "modifyMany")
    .mockResolvedValueOnce([
      { id: "a", status: "updated", newVersion: 2 },
      { id: "c", status: "strange", error: "Not today" },
    ] as never)
    .mockRejectedValueOnce(broken);
  await new BulkJob(page).forget([pinned, row("c", { pinned: 1 })], true);
  expect(toasts.all[0]?.hint).toContain("1 is now unpinned. 1 failed: Not today.");
});

/** A row as a search tells it: without a version, and maybe older than what is stored. */
const found = (id: string): ListRow => ({ ...row(id, { tags: "old" }), version: undefined });

test("a row of a search is changed as it is stored now, and its undo gives that back", async () => {
  vi.spyOn(api, "memory").mockResolvedValue(memory("a", { version: 5, tags: "new" }));
  await new BulkJob(page).change({ kind: "tags", add: ["ci"], remove: [] }, [found("a")]);
  expect(modified).toEqual([{ id: "a", if_version: 5, tags: ["new", "ci"] }]);
  toasts.undo();
  await vi.waitFor(() => {
    expect(modified.at(-1)).toEqual({ id: "a", if_version: 6, tags: ["new"] });
  });
});

test("where a row of a search cannot be read, nothing is changed unguarded", async () => {
  vi.spyOn(api, "memory").mockRejectedValue(broken);
  await new BulkJob(page).change({ kind: "pinned", pinned: true }, [found("a"), row("b")]);
  expect([modified, toasts.all[0]?.text]).toEqual([[], "Nothing was pinned: It is broken."]);
});

test("a row of a search that is gone is told, and the others are changed", async () => {
  vi.spyOn(api, "memory").mockRejectedValue(new ApiError(404, { code: "x", title: "t", detail: "gone" }));
  await new BulkJob(page).change({ kind: "pinned", pinned: true }, [found("a"), row("b")]);
  expect(modified).toEqual([{ id: "b", if_version: 1, pinned: true }]);
  expect(toasts.all[0]).toMatchObject({ text: "1 pinned.", hint: "1 no longer exists." });
});

const conflict = (id: string): never => [{ id, status: "version_conflict" }] as never;

test("what is not selected is not said to stay so: one by its key, and what an undo leaves", async () => {
  const job = new BulkJob({ ...page, keep: () => 0 });
  vi.spyOn(api, "modifyMany").mockResolvedValueOnce(conflict("a"));
  await job.change({ kind: "pinned", pinned: true }, [row("a")]);
  expect(toasts.all[0]?.hint).toBe("1 skipped: changed by someone else.");
  toasts.dismiss(toasts.all[0]?.id ?? 0);
  await new BulkJob(page).change({ kind: "pinned", pinned: true }, [row("a")]);
  vi.spyOn(api, "modifyMany").mockResolvedValueOnce(conflict("a"));
  toasts.undo();
  await vi.waitFor(() => {
    expect(toasts.all[0]?.hint).toBe("1 skipped: changed by someone else.");
  });
});

test("one that stays selected is told as one", async () => {
  vi.spyOn(api, "modifyMany").mockResolvedValueOnce(conflict("a"));
  await new BulkJob(page).change({ kind: "pinned", pinned: true }, [row("a")]);
  expect(toasts.all[0]?.hint).toBe("1 skipped: changed by someone else. It's still selected.");
});

test("two changes of several are undone one after the other, although each undo is a version of its own", async () => {
  const job = new BulkJob(page);
  await job.change({ kind: "pinned", pinned: true }, [row("z", { version: 41 })]);
  await job.change({ kind: "type", type: "rule" }, [row("z", { version: 42, pinned: 1 })]);
  toasts.undo();
  await vi.waitFor(() => {
    expect(modified.at(-1)).toEqual({ id: "z", if_version: 43, type: "fact" });
  });
  await vi.waitFor(() => {
    expect(job.working).toBeUndefined();
  });
  toasts.undo();
  await vi.waitFor(() => {
    expect(modified.at(-1)).toEqual({ id: "z", if_version: 44, pinned: false });
  });
});
