import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryList, type MemoryRow } from "$lib/api/client";
import { selectAll } from "$lib/components/list/selection";
import { listShortcuts } from "$lib/list/list-shortcuts";
import { rowOf } from "$lib/memory/rows";
import { router } from "$lib/state/router.svelte";

import { readView } from "../filter/view-url";
import { pageShortcuts } from "./page-shortcuts";
import { MemoriesPage } from "./memories-page.svelte";

function memory(id: string): MemoryRow {
  return {
    id,
    content: id,
    type: "fact",
    tags: null,
    pinned: 0,
    project: null,
    agent_id: "default",
    visibility: "global",
    version: 1,
    created_at: id,
  } as MemoryRow;
}

function answer(ids: string[], next_cursor: string | null): MemoryList {
  return { memories: ids.map(memory), stats: { total: 9, withEmbeddings: 0, critical: 0 }, next_cursor };
}

const NOTHING = readView("", new URLSearchParams());

let page: MemoriesPage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new MemoriesPage();
});

afterEach(() => vi.useRealTimers());

test("what was selected of all that match another query never comes", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValue(answer(["3", "2"], "after"));
  page.load(NOTHING);
  await vi.advanceTimersByTimeAsync(0);
  let late = (): void => undefined;
  memories.mockImplementationOnce(
    (_, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new DOMException("", "AbortError"));
        });
        late = () => {
          resolve(answer(["3", "2", "1"], null));
        };
      }),
  );
  const all = page.selectMatching();
  await vi.advanceTimersByTimeAsync(0);
  page.load({ ...NOTHING, type: "rule" });
  late();
  await all;
  await vi.advanceTimersByTimeAsync(100);
  expect([page.selection.rows.size, page.job.working]).toEqual([0, undefined]);
});

test("what was chosen before a new answer came stays chosen only where that shows it", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValue(answer(["3", "2"], null));
  page.load(NOTHING);
  await vi.advanceTimersByTimeAsync(0);
  memories.mockResolvedValue(answer(["2", "1"], null));
  page.load({ ...NOTHING, type: "rule" });
  page.selectAll();
  await vi.advanceTimersByTimeAsync(0);
  expect([...page.selection.rows.keys()]).toEqual(["2"]);
});

test("a question that is read late does not take the place of one that was opened meanwhile", async () => {
  let answer = (): void => undefined;
  vi.spyOn(api, "memory").mockImplementation(
    (id) =>
      new Promise((resolve) => {
        answer = () => {
          resolve(memory(id));
        };
      }),
  );
  router.go("/memories/a");
  const deed = page.targets.begin("tags");
  page.dialog = { kind: "remember" };
  await vi.waitFor(() => {
    expect(api.memory).toHaveBeenCalled();
  });
  answer();
  await deed;
  router.go("/memories");
  expect(page.dialog).toEqual({ kind: "remember" });
});

test("the filters are not offered while what is done with several stands in their place", () => {
  const actions = [...listShortcuts(page), ...pageShortcuts(page, () => undefined)];
  const offered = (): string[] =>
    actions.filter((one) => ["memories.filter", "memories.days"].includes(one.id) && one.when?.() !== false).map((one) => one.label);
  page.selection = selectAll([rowOf(memory("1"))]);
  expect(offered()).toEqual([]);
  page.selectNone();
  expect(offered()).toEqual(["Filter", "Filter by time"]);
});

test("a search that was being typed does not narrow the session that is asked for", async () => {
  page.go({ id: "1", q: "coral", type: "fact" });
  page.search("coral reef");
  page.showSession("red");
  await vi.advanceTimersByTimeAsync(1_000);
  expect([page.searched, page.view.id]).toEqual(["session=red", "1"]);
});
