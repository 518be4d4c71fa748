import { beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryList, type MemoryRow } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

import { ForgottenMemories } from "./forgotten-memories.svelte";

const row = (id: string, more: Partial<MemoryRow> = {}): MemoryRow =>
  ({ id, content: id, version: 2, tags: null, project: null, deleted_at: null, ...more }) as MemoryRow;
const page = (ids: string[], next: string | null): MemoryList => ({
  memories: ids.map((id) => row(id)),
  stats: { total: 0, withEmbeddings: 0, critical: 0 },
  next_cursor: next,
});

let list: ForgottenMemories;
const shown = (): string => list.shown.map(({ id }) => id).join("");

beforeEach(() => {
  vi.restoreAllMocks();
  list = new ForgottenMemories();
});

test("pages are read one after the other", async () => {
  const read = vi.spyOn(api, "forgotten").mockResolvedValueOnce(page(["a", "b"], "next"));
  await list.load();
  expect(list.hasMore).toBe(true);
  read.mockResolvedValueOnce(page(["c"], null));
  await list.more();
  expect(read.mock.lastCall?.[0].cursor).toBe("next");
  expect(shown()).toBe("abc");
  expect(list.hasMore).toBe(false);
});

test("a search reads all that was forgotten, and finds it by words and tags", async () => {
  const read = vi.spyOn(api, "forgotten").mockResolvedValueOnce(page(["a"], "next"));
  await list.load();
  read.mockResolvedValueOnce({ ...page([], null), memories: [row("b", { content: "The Red ring" }), row("c", { tags: "red" })] });
  await list.search("RED");
  expect(shown()).toBe("bc");
  await list.search("red ring");
  expect(shown()).toBe("b");
});

test("a search that fails says so once and asks no more", async () => {
  const read = vi.spyOn(api, "forgotten").mockResolvedValueOnce(page(["a"], "next"));
  await list.load();
  read.mockRejectedValueOnce(new ApiError(500, { code: "broken", title: "t", detail: "It broke" }));
  read.mockResolvedValue(page([], null));
  const before = toasts.all.length;
  await list.search("a");
  expect(read).toHaveBeenCalledTimes(2);
  expect(toasts.all.slice(before).map(({ text }) => text)).toEqual(["It broke"]);
  expect(list.hasMore).toBe(true);
});

test("a search that was broken off asks no more", async () => {
  const read = vi.spyOn(api, "forgotten").mockResolvedValueOnce(page(["a"], "next"));
  await list.load();
  read.mockRejectedValueOnce(new DOMException("gone", "AbortError"));
  read.mockResolvedValue(page([], null));
  await list.search("a");
  expect(read).toHaveBeenCalledTimes(2);
});

test("read anew, it reaches as far as before", async () => {
  const ids = (from: number): string[] => Array.from({ length: 1_000 }, (_, at) => String(from + at));
  const read = vi.spyOn(api, "forgotten");
  read.mockImplementation(({ cursor }) => Promise.resolve(cursor === "next" ? page(ids(1_000), "last") : page(ids(0), "next")));
  await list.load();
  read.mockResolvedValueOnce(page(ids(1_000), "last")).mockResolvedValueOnce(page([], null));
  await list.search("9");
  await list.search("");
  expect(list.rows).toHaveLength(2_000);
  await list.load();
  expect(list.rows).toHaveLength(2_000);
});

test("what is found beyond the first pages is still found after a change", async () => {
  const read = vi.spyOn(api, "forgotten");
  read.mockImplementation(({ cursor }) => Promise.resolve(cursor === "next" ? page(["far"], null) : page(["near"], "next")));
  await list.load();
  await list.search("far");
  await list.load();
  expect(shown()).toBe("far");
});

test("those that were restored leave the list; one that cannot be stays selected, and why is told", async () => {
  vi.spyOn(api, "forgotten")
    .mockResolvedValueOnce(page(["a", "b", "c"], null))
    .mockResolvedValue(page(["b"], null));
  vi.spyOn(api, "recoverMany").mockResolvedValue([
    { id: "a", status: "recovered" },
    { id: "b", status: "duplicate_content_hash", error: "Another memory says the same" },
    { id: "c", status: "not_deleted" },
  ]);
  await list.load();
  list.selectAll();
  await list.recover(list.selected);
  expect(shown()).toBe("b");
  expect([...list.selection.rows.keys()]).toEqual(["b"]);
  expect(toasts.all.at(-1)).toMatchObject({ text: "1 restored.", tone: "plain" });
  expect(toasts.all.at(-1)?.hint).toContain("1 failed: Another memory says the same.");
});

test("only what still is as it was shown is restored", async () => {
  const recover = vi.spyOn(api, "recoverMany").mockResolvedValue([{ id: "a", status: "version_conflict" }]);
  vi.spyOn(api, "forgotten").mockResolvedValue(page(["a"], null));
  await list.load();
  await list.recover([row("a", { version: 7 })]);
  expect(recover.mock.lastCall?.[0]).toEqual(new Map([["a", 7]]));
  expect(toasts.all.at(-1)?.hint).toBe("1 skipped: changed by someone else.");
});

test("one that is restored by its own button leaves the others selected", async () => {
  vi.spyOn(api, "forgotten")
    .mockResolvedValueOnce(page(["a", "b"], null))
    .mockResolvedValue(page(["b"], null));
  vi.spyOn(api, "recoverMany").mockResolvedValue([{ id: "a", status: "recovered" }]);
  await list.load();
  list.select("b", "toggle");
  await list.recover([row("a")]);
  expect(list.selected.map((one) => one.id)).toEqual(["b"]);
});

test("a daemon that does not answer leaves them where they are", async () => {
  vi.spyOn(api, "forgotten").mockResolvedValue(page(["a"], null));
  vi.spyOn(api, "recoverMany").mockRejectedValue(new ApiError(0, { code: "unreachable", title: "t", detail: "No answer" }));
  await list.load();
  await list.recover([row("a")]);
  expect(shown()).toBe("a");
  expect(toasts.all.at(-1)).toMatchObject({ text: "Nothing was restored.", tone: "danger" });
});

test("the days that are left are counted up, never below none", () => {
  const now = Date.parse("2026-11-22T12:00:00Z");
  const left = (deleted_at: string | null): number | undefined => list.daysLeft(row("a", { deleted_at }), now);
  expect(left("2026-11-22T10:00:00Z")).toBeUndefined();
  list.days = 30;
  expect(left("2026-11-22T10:00:00Z")).toBe(30);
  expect(left("2026-10-24T10:00:00Z")).toBe(1);
  expect(left("2026-01-01T10:00:00Z")).toBe(0);
  list.days = 0;
  expect(left("2026-01-01T10:00:00Z")).toBeUndefined();
});

test("what was restored is forgotten again by undo, unless somebody changed it", async () => {
  vi.spyOn(api, "forgotten").mockResolvedValue(page(["a", "b"], null));
  await list.load();
  vi.spyOn(api, "recoverMany").mockResolvedValue(["a", "b"].map((id) => ({ id, status: "recovered", newVersion: 3 })));
  await list.recover(list.rows);
  const forget = vi.spyOn(api, "forgetMany").mockResolvedValue([
    { id: "a", status: "deleted", newVersion: 4 },
    { id: "b", status: "version_conflict" },
  ]);
  toasts.undo();
  await vi.waitFor(() => {
    expect(toasts.all.at(-1)).toMatchObject({ text: "1 forgotten.", hint: "1 skipped: changed by someone else." });
  });
  expect(forget.mock.lastCall).toEqual([
    new Map([
      ["a", 3],
      ["b", 3],
    ]),
    "undone in the dashboard",
  ]);
});
