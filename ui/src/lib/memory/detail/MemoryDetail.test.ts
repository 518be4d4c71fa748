import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";

import { api, type MemoryRow, type MutationReply } from "$lib/api/client";
import { render } from "$lib/testing";

import MemoryDetail from "./MemoryDetail.svelte";
import MemoryOrigin from "./MemoryOrigin.svelte";
// What comes when it is asked for is there already: nothing waits for it.
import "./EraseDialog.svelte";
import type { DetailPage } from "./detail-page";
import { OpenMemory } from "./open-memory.svelte";

const ROW = {
  content: "Beryl is green.",
  type: "fact",
  tags: null,
  importance: 0.5,
  confidence: 1,
  pinned: 0,
  project: null,
  why: null,
  who: "me",
  agent_id: "default",
  visibility: "global",
  version: 1,
  source_type: "manual",
  runtime_path: null,
  source_path: null,
  source_id: null,
  session_id: null,
  access_count: 0,
  created_at: "2026-11-21T12:00:00Z",
  embedding_model: null,
} as unknown as MemoryRow;

function pageOf(openMemory: OpenMemory, more: Partial<DetailPage> = {}): DetailPage {
  const nothing = (): void => undefined;
  return {
    openMemory,
    editing: false,
    items: { remove: () => nothing },
    targets: { pin: nothing, forget: () => Promise.resolve(), recovered: nothing },
    edit: nothing,
    editEnd: nothing,
    close: nothing,
    filterLike: nothing,
    showSession: nothing,
    openFrom: nothing,
    ...more,
  };
}

function button(name: string, within: ParentNode = document): HTMLButtonElement {
  const found = [...within.querySelectorAll("button")].find((one) =>
    (one.getAttribute("aria-label") ?? one.textContent).trim().startsWith(name),
  );
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
}

test("what is erased is what was asked about, also where another one is open by then", async () => {
  vi.spyOn(api, "memory").mockImplementation((id) => Promise.resolve({ ...ROW, id }));
  vi.spyOn(api, "history").mockResolvedValue([]);
  vi.spyOn(api, "sessions").mockResolvedValue({ sessions: [], count: 0, cursor: null });
  vi.spyOn(api, "entities").mockResolvedValue({ items: [], limit: 0, offset: 0, total: 0, types: [] });
  vi.spyOn(api, "evidence").mockResolvedValue([]);
  let answer = (): void => undefined;
  vi.spyOn(api, "erase").mockImplementation(
    () =>
      new Promise<MutationReply>((resolve) => {
        answer = () => {
          resolve({ outside: [] } as unknown as MutationReply);
        };
      }),
  );
  const memory = new OpenMemory();
  await memory.show("a");
  const [remove, close] = [vi.fn(() => () => undefined), vi.fn()];
  render(MemoryDetail, { page: pageOf(memory, { items: { remove }, close }), query: "" });
  button("Erase permanently").click();
  await vi.waitFor(() => {
    expect(document.querySelector("dialog")).not.toBeNull();
  });
  button("Erase permanently", document.querySelector("dialog") ?? document).click();
  await memory.show("b");
  answer();
  await vi.waitFor(() => {
    button("Done");
  });
  expect(remove).toHaveBeenCalledExactlyOnceWith("a");
  button("Done").click();
  flushSync();
  expect(close).not.toHaveBeenCalled();
});

test("a captured memory shows the user's own sentences with their sessions, another one none", async () => {
  vi.spyOn(api, "memory").mockImplementation((id) => Promise.resolve({ ...ROW, id }));
  vi.spyOn(api, "history").mockResolvedValue([]);
  vi.spyOn(api, "sessions").mockResolvedValue({ sessions: [], count: 0, cursor: null });
  vi.spyOn(api, "entities").mockResolvedValue({ items: [], limit: 0, offset: 0, total: 0, types: [] });
  const said = {
    sentence: "oh, and use pnpm",
    by: "user",
    harness: "claude-code",
    session_id: "s 1",
    session: "7",
    message_id: "m1",
    start: 0,
    end: 16,
    said_at: "2026-11-21T12:00:00Z",
  } as const;
  vi.spyOn(api, "evidence").mockImplementation((id) => Promise.resolve(id === "a" ? [said] : []));
  const memory = new OpenMemory();
  await memory.show("a");
  const page = render(MemoryDetail, { page: pageOf(memory), query: "" });
  await vi.waitFor(() => {
    expect(page.querySelector("blockquote")?.textContent).toBe("oh, and use pnpm");
  });
  const section = page.querySelector("[aria-label='Where it came from']");
  expect(section?.textContent).toContain("Claude Code");
  expect(section?.querySelector("a")?.getAttribute("href")).toBe("/sessions/7?memory=a");
  await memory.show("b");
  flushSync();
  expect(page.querySelector("[aria-label='Where it came from']")?.textContent).toContain("Saved by me");
  expect(page.querySelector("blockquote")).toBeNull();
});

test("a memory that the agent saved by itself says so, beside what the user said of it", () => {
  const said = {
    sentence: "oh, and use pnpm",
    by: "user",
    harness: "claude-code",
    session_id: "s 1",
    session: "7",
    message_id: "m1",
    start: 0,
    end: 16,
    said_at: null,
  } as const;
  const origin = (who: string, evidence: (typeof said)[], source_type = "agent"): string =>
    render(MemoryOrigin, { row: { ...ROW, source_type, who }, evidence, onsession: () => undefined }).textContent;
  expect(origin("claude-code", [])).toContain("Saved by the agent (Claude Code)");
  expect(origin("user", [])).toContain("Claimed by the agent, kept by you");
  expect(origin("file", [], "file")).toContain("Read in a file,");
  expect(origin("user", [], "file")).toContain("Read in a file, kept by you");
  expect(origin("claude-code", [said])).toMatch(/Saved by the agent.*You said:.*oh, and use pnpm/su);
});
