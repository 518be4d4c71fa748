import { afterEach, expect, test, vi } from "vitest";

import { ApiError, problemOf } from "$lib/api/errors";

import { toasts } from "./toasts.svelte";
import { ChangedSinceError, offerUndo } from "./undo";

afterEach(() => {
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

const texts = (): readonly string[] => toasts.all.map((toast) => toast.text);

test("a change is reported with Undo, which u presses, and is undone once", async () => {
  const undo = vi.fn(() => Promise.resolve());
  offerUndo({ text: "Pinned.", undo });
  expect(toasts.undoable?.text).toBe("Pinned.");
  toasts.undo();
  toasts.undo();
  await vi.waitFor(() => {
    expect(texts()).toEqual(["Undone."]);
  });
  expect(undo).toHaveBeenCalledOnce();
});

test("several changes are undone one after the other, the newest first", async () => {
  const order: string[] = [];
  for (const name of ["first", "second"]) {
    offerUndo({ text: name, undone: "", undo: () => Promise.resolve(order.push(name)) });
  }
  toasts.undo();
  toasts.undo();
  await vi.waitFor(() => {
    expect(order).toEqual(["second", "first"]);
  });
});

const refused = (status: string): ApiError => problemOf(409, { code: "conflict", title: "Conflict", detail: "no", status });

test.each([
  [refused("version_conflict"), "Couldn't undo: it has been changed since."],
  [new ChangedSinceError(), "Couldn't undo: it has been changed since."],
  [refused("already_deleted"), "Couldn't undo: it has been forgotten since."],
  [problemOf(404, { status: "not_found" }), "Couldn't undo: it no longer exists."],
  [refused("something new"), "Couldn't undo: no."],
])("%o is why it is not undone, and it is not offered again", async (thrown, text) => {
  offerUndo({ text: "Saved.", undo: () => Promise.reject(thrown) });
  toasts.undo();
  await vi.waitFor(() => {
    expect(texts()).toEqual([text]);
  });
  expect(toasts.undoable).toBeUndefined();
});

test("while the daemon can't be reached it stays offered", async () => {
  const gone = new ApiError(0, { code: "unreachable", title: "t", detail: "Nobody answers.", hint: "Start it." });
  const undo = vi.fn<() => Promise<void>>().mockRejectedValueOnce(gone).mockResolvedValueOnce();
  offerUndo({ text: "Saved.", undo });
  toasts.undo();
  await vi.waitFor(() => {
    expect(toasts.undoable).toMatchObject({ text: "Couldn't undo: Nobody answers.", hint: "Start it." });
  });
  toasts.undo();
  await vi.waitFor(() => {
    expect(texts()).toEqual(["Undone."]);
  });
});

test("what can't be undone right now stays offered and says why", () => {
  const undo = vi.fn(() => Promise.resolve());
  offerUndo({ text: "3 pinned.", undo, blocked: () => "Forgetting is under way." });
  toasts.undo();
  expect(toasts.undoable).toMatchObject({ text: "3 pinned.", hint: "Forgetting is under way." });
  expect(undo).not.toHaveBeenCalled();
});
