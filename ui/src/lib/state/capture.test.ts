import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type CaptureReply } from "$lib/api/client";

import { Capture } from "./capture.svelte";
import { toasts } from "./toasts.svelte";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

function reply(paused: boolean, until: string | null = null): CaptureReply {
  return { paused, since: paused ? "2026-11-21T11:00:00.000Z" : null, until, pauses: [] };
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOON });
});

afterEach(() => {
  vi.useRealTimers();
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

test("a pause is there until its end has come, without another word", async () => {
  const ask = vi.spyOn(api, "capture").mockResolvedValue(reply(true, "2026-11-21T12:15:00.000Z"));
  const capture = new Capture();
  const stop = capture.subscribe();
  await vi.advanceTimersByTimeAsync(0);
  expect(capture.pause).toEqual({ until: "2026-11-21T12:15:00.000Z" });
  ask.mockResolvedValue(reply(false));
  await vi.advanceTimersByTimeAsync(15 * 60_000 + 100);
  expect(capture.pause).toBeUndefined();
  expect(ask).toHaveBeenCalledTimes(2);
  stop();
});

test("a pause until resumed has no end", async () => {
  vi.spyOn(api, "pause").mockResolvedValue(reply(true));
  vi.spyOn(api, "resume").mockResolvedValue(reply(false));
  const capture = new Capture();
  await capture.begin({});
  await vi.advanceTimersByTimeAsync(400 * 86_400_000);
  expect(capture.pause).toEqual({ until: null });
  await capture.resume();
  expect(capture.pause).toBeUndefined();
});

test("a refusal is said, and what stood stands", async () => {
  vi.spyOn(api, "pause").mockRejectedValue(new Error("no"));
  const capture = new Capture();
  await capture.begin({ minutes: 15 });
  expect(capture.pause).toBeUndefined();
  expect(toasts.all.at(-1)?.tone).toBe("danger");
});

test("it asks anew when it is told of a change, and not for others", async () => {
  const ask = vi.spyOn(api, "capture").mockResolvedValue(reply(false));
  const capture = new Capture();
  capture.handleChange({ topic: "memory", what: "added", ids: [] });
  expect(ask).not.toHaveBeenCalled();
  capture.handleChange({ topic: "capture", what: "updated", ids: [] });
  await vi.advanceTimersByTimeAsync(0);
  capture.handleChange("resync");
  expect(ask).toHaveBeenCalledTimes(2);
});

/** A daemon that pauses and resumes as it is told. */
function obeying(first: CaptureReply): Capture {
  let stored = first;
  const put = (made: CaptureReply): Promise<CaptureReply> => Promise.resolve((stored = made));
  vi.spyOn(api, "capture").mockImplementation(() => Promise.resolve(stored));
  vi.spyOn(api, "pause").mockImplementation((request) => put(reply(true, request.until ?? null)));
  vi.spyOn(api, "resume").mockImplementation(() => put(reply(false)));
  const capture = new Capture();
  capture.set(first);
  return capture;
}

const UNTIL = "2026-11-21T12:15:00.000Z";

test("a pause is undone by resuming, and a resume by the pause that was", async () => {
  const capture = obeying(reply(false));
  await capture.begin({});
  toasts.undo();
  await vi.advanceTimersByTimeAsync(0);
  expect(capture.pause).toBeUndefined();
  await capture.begin({ until: UNTIL });
  await capture.resume();
  toasts.undo();
  await vi.advanceTimersByTimeAsync(0);
  expect(capture.pause).toEqual({ until: UNTIL });
});

test("another end of a pause is undone by the former end", async () => {
  const capture = obeying(reply(true, UNTIL));
  await capture.begin({});
  expect(toasts.undoable?.text).toBe("Capture paused.");
  toasts.undo();
  await vi.advanceTimersByTimeAsync(0);
  expect(capture.pause).toEqual({ until: UNTIL });
});

test("what somebody else did with capture since stays", async () => {
  const capture = obeying(reply(false));
  await capture.begin({});
  await api.pause({ until: UNTIL });
  toasts.undo();
  await vi.advanceTimersByTimeAsync(0);
  expect(toasts.all.at(-1)?.text).toBe("Couldn't undo: it has been changed since.");
  expect(api.resume).not.toHaveBeenCalled();
});
