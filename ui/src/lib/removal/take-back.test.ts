import { expect, test, vi } from "vitest";

import { sourceApi, type SourceRemoval } from "$lib/api/sources";
import { toasts } from "$lib/state/toasts.svelte";

import { offerRemovalUndo, removalText } from "./take-back";

const REMOVAL: SourceRemoval = {
  id: "r1",
  source: { kind: "import", id: "i1" },
  label: "Import of 27 Nov 2026",
  at: "2026-11-27T10:00:00Z",
  forgotten: 12,
  kept: 1,
  dropped: 3,
  running: false,
  undone: null,
};

test.each([
  [{}, "Forgot 12 memories and dropped 3 suggestions."],
  [{ forgotten: 0, dropped: 1 }, "Dropped 1 suggestion."],
  [{ forgotten: 0, dropped: 0 }, "Taken back."],
])("a removal with %o says what went", (change, text) => {
  expect(removalText({ ...REMOVAL, ...change })).toBe(text);
});

test("a removal can be undone from its toast", async () => {
  const undoes = vi.spyOn(sourceApi, "undoTakeBack").mockResolvedValue(REMOVAL);
  const onundone = vi.fn();
  offerRemovalUndo(REMOVAL, onundone);
  expect(toasts.undoable?.hint).toBe("1 memory stays.");
  toasts.undo();
  await vi.waitFor(() => {
    expect(onundone).toHaveBeenCalledOnce();
  });
  expect(undoes).toHaveBeenCalledWith("r1");
});

test("a removal that goes on in the background is undone once it is complete", async () => {
  const running = vi.spyOn(sourceApi, "takenBack").mockResolvedValue([REMOVAL]);
  const undoes = vi.spyOn(sourceApi, "undoTakeBack").mockResolvedValue(REMOVAL);
  undoes.mockClear();
  offerRemovalUndo({ ...REMOVAL, running: true }, vi.fn());
  vi.useFakeTimers();
  running.mockResolvedValueOnce([{ ...REMOVAL, running: true }]);
  toasts.undo();
  await vi.advanceTimersByTimeAsync(500);
  expect(undoes).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(500);
  expect(undoes).toHaveBeenCalledWith("r1");
  vi.useRealTimers();
});
