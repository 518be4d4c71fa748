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
