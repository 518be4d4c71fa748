import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryRow, type ModifyRequest, type MutationReply } from "$lib/api/client";
import { problemOf } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { connection } from "$lib/state/connection.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { forgetNew, offerFieldsUndo, offerMemoryUndo, SameVersions } from "./memory-undo";

const CONFLICT = problemOf(409, { status: "version_conflict", detail: "The memory has changed" });
let stored: MemoryRow;
let isForgotten: boolean;

/** The daemon with one memory: each change is a version, and goes by the one that was seen. */
beforeEach(() => {
  stored = {
    id: "a",
    content: "Onyx",
    type: "fact",
    tags: "stone,black",
    importance: 0.5,
    pinned: 0,
    project: "/ring",
    visibility: "global",
    version: 1,
  } as MemoryRow;
  isForgotten = false;
  vi.spyOn(api, "modify").mockImplementation((_, change) => {
    const { reason, if_version: seen, tags, ...fields } = change;
    expect(reason).not.toBe("");
    const more = Array.isArray(tags) ? { tags: tags.join(",") } : {};
    return write(seen, { ...fields, ...more } as unknown as Partial<MemoryRow>);
  });
  vi.spyOn(api, "forget").mockImplementation(async (_, __, seen) => {
    const reply = await write(seen, {});
    isForgotten = true;
    return reply;
  });
});

afterEach(() => {
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

function write(seen: number | null | undefined, fields: Partial<MemoryRow>): Promise<MutationReply> {
  if (seen !== stored.version) return Promise.reject(CONFLICT);
  const currentVersion = stored.version;
  stored = { ...stored, ...fields, version: currentVersion + 1 };
  return Promise.resolve({ id: "a", currentVersion, newVersion: stored.version } as MutationReply);
}

async function change(fields: Omit<ModifyRequest, "reason">): Promise<void> {
  const before = stored;
  const wanted = { reason: "edited", ...fields };
  offerFieldsUndo(before, wanted, await api.modify("a", { ...wanted, if_version: before.version }), { text: "Saved." });
}

async function undo(text = "Undone."): Promise<void> {
  toasts.undo();
  await vi.waitFor(() => {
    expect(toasts.all.at(-1)?.text).toBe(text);
  });
}

test("every field that was changed is what it was, and no other", async () => {
  const former = stored;
  await change({ content: "Agate", type: "rule", tags: [], importance: 1, pinned: true, project: null, visibility: "private" });
  const heard: (ChangeEvent | "resync")[] = [];
  const silence = connection.onChange((what) => heard.push(what));
  await undo();
  silence();
  expect(stored).toEqual({ ...former, pinned: false, version: 3 });
  expect(heard).toEqual([{ topic: "memory", what: "updated", ids: ["a"] }]);
  await change({ pinned: true });
  await undo();
  expect(vi.mocked(api.modify).mock.lastCall?.[1]).toEqual({ reason: "undone in the dashboard", pinned: false, if_version: 4 });
});

test("two changes are undone one after the other, although each undo is a version of its own", async () => {
  stored = { ...stored, version: 7 };
  await change({ content: "Agate" });
  await change({ pinned: true });
  await undo();
  await undo();
  expect(stored).toMatchObject({ content: "Onyx", pinned: false, version: 11 });
});

test("what was changed since stays as it is", async () => {
  stored = { ...stored, version: 20 };
  await change({ content: "Agate" });
  await write(stored.version, { content: "Jasper" });
  await undo("Couldn't undo: it has been changed since.");
  expect(stored.content).toBe("Jasper");
});

test("a change that changed nothing offers no undo", () => {
  offerMemoryUndo({ id: "a", currentVersion: 3, newVersion: 3 }, { text: "Saved.", back: vi.fn() });
  expect(toasts.undoable).toBeUndefined();
  expect(toasts.all[0]?.text).toBe("Saved.");
});

test("what was remembered as pinned is unpinned and forgotten, also at a second attempt", async () => {
  stored = { ...stored, id: "new", pinned: 1 };
  vi.mocked(api.forget).mockRejectedValueOnce(problemOf(503, {}));
  await expect(forgetNew("new", true)).rejects.toThrow();
  expect(isForgotten).toBe(false);
  await forgetNew("new", true);
  expect(isForgotten).toBe(true);
});

test("what was remembered and then changed by somebody is not forgotten by undo", async () => {
  await write(1, { content: "Jasper" });
  await expect(forgetNew("b", false)).rejects.toBe(CONFLICT);
  expect(isForgotten).toBe(false);
});

test("versions that say the same are followed to the newest, of each memory apart", () => {
  const same = new SameVersions();
  same.add("a", 2, 4);
  same.add("a", 4, 6);
  expect([same.newest("a", 2), same.newest("a", 3), same.newest("b", 2)]).toEqual([6, 3, 2]);
});
