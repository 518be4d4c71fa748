import { afterEach, expect, test, vi } from "vitest";

import { api, type PreviewLine, type PreviewReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { LineCursor } from "./line-cursor.svelte";
import { NextSession } from "./next-session.svelte";

const LINE = { memoryId: "a", content: "Use pnpm.", line: "- (rule, 2026-01-31) Use pnpm.", pinned: true, tokens: 9 } as PreviewLine;

function reply(...lines: PreviewLine[]): PreviewReply {
  const start = { text: lines.map(({ line }) => `${line}\n`).join(""), tokens: 9, budget: 1200, lines, leftOut: [] };
  return { start, prompt: null } as unknown as PreviewReply;
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("the lines stay while one is edited, and are read again afterwards", async () => {
  const preview = vi.spyOn(api, "preview").mockResolvedValue(reply(LINE));
  const session = new NextSession(null);
  await session.load();
  const release = session.hold();
  preview.mockResolvedValue(reply());
  session.refresh(0);
  session.addPrompt("Fix it");
  expect([preview.mock.calls.length, session.value?.start.lines]).toEqual([1, [LINE]]);
  release();
  await vi.waitFor(() => {
    expect(session.value?.start.lines).toEqual([]);
  });
  expect(preview.mock.lastCall?.[1]).toBe("Fix it");
});

test("nothing is edited once its line is gone", async () => {
  vi.spyOn(api, "preview").mockResolvedValue(reply(LINE));
  const session = new NextSession(null);
  const cursor = new LineCursor(session, () => undefined);
  await session.load();
  cursor.edit("told a");
  expect(cursor.editing).toBe("told a");
  session.set(reply());
  expect(cursor.editing).toBeUndefined();
});

test("a pin that couldn't be changed is shown as it was", async () => {
  vi.spyOn(api, "preview")
    .mockResolvedValueOnce(reply(LINE))
    .mockRejectedValue(new ApiError(0, { code: "unreachable", title: "t", detail: "d" }));
  vi.spyOn(api, "memory").mockRejectedValue(new ApiError(0, { code: "unreachable", title: "t", detail: "d" }));
  const session = new NextSession(null);
  await session.load();
  await session.pin(LINE);
  expect(session.value?.start.lines[0]?.pinned).toBe(true);
});
