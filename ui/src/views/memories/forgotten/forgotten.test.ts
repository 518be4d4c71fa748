import { beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryList, type MemoryRow, type MutationReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

import { Forgotten } from "./forgotten.svelte";

const row = (id: string): MemoryRow => ({ id, content: id, version: 2 }) as MemoryRow;
const page = (ids: string[], next: string | null): MemoryList => ({
  memories: ids.map(row),
  stats: { total: 0, withEmbeddings: 0, critical: 0 },
  next_cursor: next,
});

let list: Forgotten;

beforeEach(() => {
  vi.restoreAllMocks();
  list = new Forgotten();
});

test("pages are read one after the other", async () => {
  const read = vi.spyOn(api, "forgotten").mockResolvedValueOnce(page(["a", "b"], "next"));
  await list.load();
  expect(list.hasMore).toBe(true);
  read.mockResolvedValueOnce(page(["c"], null));
  await list.more();
  expect(read.mock.lastCall?.[0].cursor).toBe("next");
  expect(list.rows.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(list.hasMore).toBe(false);
});

test("one that was brought back leaves the list", async () => {
  vi.spyOn(api, "forgotten").mockResolvedValue(page(["a", "b"], null));
  vi.spyOn(api, "recover").mockResolvedValue({} as MutationReply);
  await list.load();
  await list.recover(row("a"));
  expect(list.rows.map(({ id }) => id)).toEqual(["b"]);
});

test("one that cannot be brought back stays, and the reason is told", async () => {
  vi.spyOn(api, "forgotten").mockResolvedValue(page(["a"], null));
  vi.spyOn(api, "recover").mockRejectedValue(
    new ApiError(409, { code: "conflict", title: "No", detail: "Another memory says the same" }),
  );
  await list.load();
  await list.recover(row("a"));
  expect(list.rows).toHaveLength(1);
  expect(toasts.all.at(-1)?.text).toContain("Another memory says the same");
});
