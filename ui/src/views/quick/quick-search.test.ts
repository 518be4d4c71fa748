import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type Matches, type RecallResult } from "$lib/api/client";
import { found as item, group, reply, setting, settingsReply } from "$lib/finding/finding-samples";
import { settingsList } from "$lib/finding/found-settings.svelte";

import { QuickSearch } from "./quick-search.svelte";

function result(id: string, more: Partial<RecallResult> = {}): RecallResult {
  return {
    id,
    content: `Memory ${id}`,
    content_length: 8,
    truncated: false,
    score: 1,
    source: "keyword",
    type: "fact",
    tags: null,
    pinned: false,
    importance: 0.5,
    who: "user",
    project: null,
    agent_id: "default",
    visibility: "global",
    created_at: "2026-11-21T12:00:00.000Z",
    ...more,
  };
}

function found(results: RecallResult[], weaker = 0): Matches {
  return { results, weaker };
}

let search: QuickSearch;

/** The ids of what is listed, apart from what leads to all of a group. */
function listed(): string[] {
  return search.hits.filter(({ isAll }) => isAll !== true).map(({ id }) => id);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(api, "find").mockResolvedValue(reply());
  settingsList.set(settingsReply([]));
  search = new QuickSearch();
});

afterEach(() => {
  search.stop();
  vi.useRealTimers();
});

test("one question is asked for what is typed at a stretch", async () => {
  const ask = vi.spyOn(api, "search").mockResolvedValue(found([result("a")]));
  for (const typed of ["l", "la", "lapis"]) search.type(typed);
  await vi.runAllTimersAsync();
  expect(ask).toHaveBeenCalledOnce();
  expect(ask.mock.calls[0]?.[0].q).toBe("lapis");
  expect(listed()).toEqual(["memory:a"]);
});

test("an answer that comes too late is not shown", async () => {
  const waiting: ((matches: Matches) => void)[] = [];
  const ask = vi.spyOn(api, "search").mockImplementation(() => new Promise((resolve) => waiting.push(resolve)));
  search.type("old");
  await vi.runAllTimersAsync();
  search.type("new");
  await vi.runAllTimersAsync();
  waiting[1]?.(found([result("new")]));
  waiting[0]?.(found([result("old")]));
  await vi.runAllTimersAsync();
  expect(ask.mock.calls[0]?.[1].aborted).toBe(true);
  expect(listed()).toEqual(["memory:new"]);
});

test("the choice stays within the hits, and on its memory when the same is asked anew", async () => {
  const ask = vi.spyOn(api, "search").mockResolvedValue(found([result("a"), result("b")]));
  search.type("lapis");
  await vi.runAllTimersAsync();
  search.move(-1);
  expect(search.chosen?.id).toBe("memory:a");
  search.move(1);
  expect(search.chosen?.id).toBe("memory:b");
  ask.mockResolvedValue(found([result("c"), result("a"), result("b")]));
  await search.load();
  expect(search.chosen?.id).toBe("memory:b");
  search.type("jasper");
  await vi.runAllTimersAsync();
  expect(search.chosen?.id).toBe("memory:c");
});

test("what was cut is there as a whole once it is fetched", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found([result("a", { truncated: true })]));
  vi.spyOn(api, "memory").mockResolvedValue({ content: "all of it" } as never);
  search.type("lapis");
  await vi.runAllTimersAsync();
  expect(search.text).toBeUndefined();
  await search.fetchWhole();
  expect(search.text).toBe("all of it");
});

test("a refusal is shown, and gone with the next answer", async () => {
  const ask = vi.spyOn(api, "search").mockRejectedValueOnce(new Error("no"));
  search.type("lapis");
  await vi.runAllTimersAsync();
  expect(search.error?.message).toBe("no");
  ask.mockResolvedValue(found([]));
  await search.load();
  expect(search.error).toBeUndefined();
});

test("Enter before the answer opens the best of what was asked, not of what was asked before", async () => {
  const ask = vi.spyOn(api, "search").mockResolvedValue(found([result("old")]));
  const open = vi.fn();
  search.type("lapis");
  await vi.runAllTimersAsync();
  ask.mockResolvedValue(found([result("new")]));
  search.type("jasper");
  search.open(open);
  expect(open).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  expect(open).toHaveBeenCalledExactlyOnceWith("/memories/new");
  search.open(open);
  expect(open).toHaveBeenCalledTimes(2);
});

test("who chose among what is shown opens that, whatever is on its way", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found([result("a"), result("b")]));
  const open = vi.fn();
  search.type("lapis");
  await vi.runAllTimersAsync();
  search.type("jasper");
  search.move(1);
  search.open(open);
  expect(open).toHaveBeenCalledExactlyOnceWith("/memories/b");
});

test("an Enter that waited is given up by what is typed after it, and by a refusal", async () => {
  const ask = vi
    .spyOn(api, "search")
    .mockRejectedValueOnce(new Error("no"))
    .mockResolvedValue(found([result("a")]));
  const open = vi.fn();
  search.type("lapis");
  search.open(open);
  await vi.runAllTimersAsync();
  await search.load();
  search.type("jasper");
  search.open(open);
  search.type("jasper red");
  await vi.runAllTimersAsync();
  expect([ask.mock.calls.length, open.mock.calls.length]).toEqual([3, 0]);
});

test("what was cut is fetched anew when it may have changed", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found([result("a", { truncated: true })]));
  vi.spyOn(api, "memory")
    .mockResolvedValueOnce({ content: "as it was" } as never)
    .mockResolvedValue({ content: "as it is" } as never);
  search.type("lapis");
  await vi.runAllTimersAsync();
  await search.fetchWhole();
  await search.load();
  await search.fetchWhole();
  expect(search.text).toBe("as it is");
});

test("weaker matches are listed for the query that they were asked for", async () => {
  const ask = vi
    .spyOn(api, "search")
    .mockResolvedValueOnce(found([], 3))
    .mockResolvedValue(found([result("a")]));
  search.type("lapis");
  await vi.runAllTimersAsync();
  expect([listed().length, search.weaker]).toEqual([0, 3]);
  search.showWeaker();
  await vi.runAllTimersAsync();
  expect(ask.mock.lastCall?.[0]).toMatchObject({ q: "lapis", min_score: 0 });
  expect([listed().length, search.weaker]).toEqual([1, 0]);
  search.type("jasper");
  await vi.runAllTimersAsync();
  expect(ask.mock.lastCall?.[0]).not.toHaveProperty("min_score");
});

test("other kinds of things are listed in groups, with memories where the daemon has them", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found([result("a")]));
  const session = group("session", [item("session", "1")]);
  vi.spyOn(api, "find").mockResolvedValue(
    reply(session, group("memory", [item("memory", "other")]), group("entity", [item("entity", "e")])),
  );
  settingsList.set(settingsReply([setting("a.b", "Lapis")]));
  search.type("lapis");
  await vi.runAllTimersAsync();
  expect(search.groups.map(({ name }) => name)).toEqual(["Sessions", "Memories", "Entities", "Settings"]);
  expect(listed()).toEqual(["session:1", "memory:other", "memory:a", "entity:e", "setting:a.b"]);
  search.jump(-1);
  expect(search.chosen?.path).toBe("/settings/a.b");
  search.jump(1);
  expect([search.chosen?.path, search.text]).toEqual(["/sessions/1", "session 1"]);
});

test("the memories that are found best go before the others that answer, each once", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found([result("a"), result("b"), result("c")]));
  const cut = item("memory", "d", { title: "The beginning of a memory…" });
  vi.spyOn(api, "find").mockResolvedValue(reply(group("memory", [item("memory", "c"), cut], true)));
  vi.spyOn(api, "memory").mockResolvedValue({ content: "All of it" } as Awaited<ReturnType<typeof api.memory>>);
  search.type("lapis");
  await vi.runAllTimersAsync();
  expect(listed()).toEqual(["memory:c", "memory:d", "memory:a", "memory:b"]);
  expect(search.hits.map(({ label }) => label).slice(0, 2)).toEqual(["Memory c", "The beginning of a memory…"]);
  search.choose(1);
  await search.fetchWhole();
  expect(search.text).toBe("All of it");
});

test("memories are found even if the other kinds can't be searched", async () => {
  vi.spyOn(api, "search").mockResolvedValue(found([result("a")]));
  vi.spyOn(api, "find").mockRejectedValue(new Error("no"));
  search.type("lapis");
  await vi.runAllTimersAsync();
  expect([listed(), search.error]).toEqual([["memory:a"], undefined]);
});
