import { beforeEach, expect, test, vi } from "vitest";

import { api, type CaptureReviewRow } from "$lib/api/client";
import { toasts } from "$lib/state/toasts.svelte";

import { FORGET_REASON, inChunks } from "./review-actions";
import { ReviewPage } from "./review-page.svelte";

const row = (id: string): CaptureReviewRow => ({ id, content: id, version: 1 }) as CaptureReviewRow;
const listed = (ids: string, cursor: string | null = null, total = ids.length): never =>
  ({ items: Array.from(ids, row), cursor, total, judge: "j", reviewing: false, dismissed: false }) as never;

let page: ReviewPage;
const shown = (): string => page.items.rows.map(({ id }) => id).join("");

beforeEach(() => {
  vi.restoreAllMocks();
  page = new ReviewPage();
});

test("forgotten memories leave the list, the next one is current, and undo restores them", async () => {
  const read = vi.spyOn(api, "captureReview").mockResolvedValue(listed("abc"));
  await page.items.load();
  page.follow(page.items.rows);
  page.active = "b";
  const forget = vi.spyOn(api, "forgetMany").mockResolvedValue([{ id: "b", status: "deleted", newVersion: 2 }] as never);
  await page.actions.forgetTargets();
  expect(forget).toHaveBeenCalledWith(new Map([["b", 1]]), FORGET_REASON);
  expect([shown(), page.active, page.items.total]).toEqual(["ac", "c", 2]);

  const recover = vi.spyOn(api, "recoverMany").mockResolvedValue([{ id: "b", status: "recovered" }] as never);
  read.mockResolvedValue(listed("abc"));
  toasts.undo();
  await vi.waitFor(() => {
    expect(shown()).toBe("abc");
  });
  expect(recover.mock.lastCall?.[0]).toEqual(new Map([["b", 2]]));
});

test("all are forgotten, also those that weren't loaded yet", async () => {
  vi.spyOn(api, "captureReview")
    .mockResolvedValueOnce(listed("ab".repeat(1), "next", 3))
    .mockResolvedValueOnce(listed("c", null, 3))
    .mockResolvedValue(listed(""));
  const forget = vi
    .spyOn(api, "forgetMany")
    .mockImplementation((versions) => Promise.resolve([...versions.keys()].map((id) => ({ id, status: "deleted" })) as never));
  await page.items.load();
  await page.actions.forgetAll();
  expect([...(forget.mock.lastCall?.[0].keys() ?? [])].join("")).toBe("abc");
  expect(shown()).toBe("");
});

test("what changed in the meantime stays and is said", async () => {
  vi.spyOn(api, "captureReview").mockResolvedValue(listed("ab"));
  await page.items.load();
  page.selectAll();
  vi.spyOn(api, "forgetMany").mockResolvedValue([
    { id: "a", status: "deleted", newVersion: 2 },
    { id: "b", status: "version_conflict" },
  ] as never);
  const add = vi.spyOn(toasts, "add");
  await page.actions.forgetTargets();
  expect(add.mock.lastCall?.[0]).toBe("Forgot 1 memory.");
  expect(add.mock.lastCall?.[1]?.hint).toBe("1 memory changed in the meantime.");
});

test("kept memories leave the list, and undo lists them again", async () => {
  const read = vi.spyOn(api, "captureReview").mockResolvedValue(listed("ab"));
  await page.items.load();
  page.follow(page.items.rows);
  const keep = vi.spyOn(api, "keepReviewed").mockResolvedValue(1);
  await page.actions.keepTargets();
  expect([keep.mock.lastCall, shown()]).toEqual([[["a"], true], "b"]);
  read.mockResolvedValue(listed("ab"));
  toasts.undo();
  await vi.waitFor(() => {
    expect(shown()).toBe("ab");
  });
  expect(keep.mock.lastCall).toEqual([["a"], false]);
});

test("a failed request leaves the list as it is", async () => {
  vi.spyOn(api, "captureReview").mockResolvedValue(listed("ab"));
  await page.items.load();
  vi.spyOn(api, "keepReviewed").mockRejectedValue(new Error("broken"));
  await page.actions.keepTargets();
  expect([shown(), page.isWorking]).toEqual(["ab", false]);
});

test("requests take at most 200 memories", async () => {
  const versions = new Map(Array.from({ length: 401 }, (_, at) => [String(at), 1]));
  const sizes: number[] = [];
  const done = await inChunks(versions, "deleted", (chunk) => {
    sizes.push(chunk.size);
    return Promise.resolve([...chunk.keys()].map((id) => ({ id, status: "deleted" })));
  });
  expect([sizes, done.size]).toEqual([[200, 200, 1], 401]);
});
