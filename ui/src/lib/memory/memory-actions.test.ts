import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryRow, type MutationReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

import { forget, retire } from "./memory-actions";

let stored: { pinned: number; version: number; isForgotten: boolean; isOld: boolean };
const back = vi.fn();
const list = { remove: () => () => undefined };

/** A daemon with one memory, which is pinned. */
beforeEach(() => {
  stored = { pinned: 1, version: 1, isForgotten: false, isOld: false };
  const change = (fields: Partial<typeof stored>): Promise<MutationReply> => {
    stored = { ...stored, ...fields, version: stored.version + 1 };
    return Promise.resolve({ newVersion: stored.version } as MutationReply);
  };
  vi.spyOn(api, "memory").mockImplementation(() => Promise.resolve({ id: "a", content: "Onyx", ...stored } as unknown as MemoryRow));
  vi.spyOn(api, "modify").mockImplementation((_, { pinned }) => change({ pinned: pinned === true ? 1 : 0 }));
  vi.spyOn(api, "forget").mockImplementation(() => change({ isForgotten: true }));
  vi.spyOn(api, "retire").mockImplementation(() => change({ isOld: true }));
  vi.spyOn(api, "reinstate").mockImplementation(() => change({ isOld: false }));
  vi.spyOn(api, "recover").mockImplementation(() => change({ isForgotten: false }));
});

afterEach(() => {
  back.mockReset();
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

/** Press what the newest note offers. */
function act(label: string): void {
  const toast = toasts.all.findLast((one) => one.action?.label === label);
  if (toast === undefined) throw new Error(`nothing offers ${label}`);
  toasts.act(toast.id);
}

test("an undo of unpin and forget gives the pin back, too", async () => {
  await forget(list, "a", back);
  act("Unpin and forget");
  await vi.waitFor(() => {
    expect(stored).toMatchObject({ pinned: 0, isForgotten: true });
  });
  await vi.waitFor(() => {
    act("Undo");
  });
  await vi.waitFor(() => {
    expect(back).toHaveBeenCalledOnce();
  });
  expect(stored).toMatchObject({ pinned: 1, isForgotten: false });
});

test("what was unpinned to be forgotten is pinned again where forgetting is refused", async () => {
  vi.spyOn(api, "forget").mockRejectedValue(new ApiError(503, { code: "x", title: "t", detail: "d" }));
  await forget(list, "a", back);
  act("Unpin and forget");
  await vi.waitFor(() => {
    expect(stored).toMatchObject({ pinned: 1, version: 3 });
  });
  expect(toasts.all.some((toast) => toast.text.startsWith("Couldn't forget the memory"))).toBe(true);
});

test("a pinned memory is marked as old once it is unpinned, and an undo pins it again", async () => {
  expect(await retire(list, "a", back)).toBe(false);
  expect(stored).toMatchObject({ pinned: 1, isOld: false });
  act("Unpin and mark as old");
  await vi.waitFor(() => {
    expect(stored).toMatchObject({ pinned: 0, isOld: true });
  });
  await vi.waitFor(() => {
    act("Undo");
  });
  await vi.waitFor(() => {
    expect(back).toHaveBeenCalledOnce();
  });
  expect(stored).toMatchObject({ pinned: 1, isOld: false });
});
