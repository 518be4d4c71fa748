import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryList, type MemoryRow } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";

import { MemoryRows } from "./memory-rows.svelte";

function memory(id: string, more: Partial<MemoryRow> = {}): MemoryRow {
  const created_at = `2026-11-21T10:00:00.${id.padStart(3, "0")}Z`;
  return {
    id,
    content: id,
    type: "fact",
    tags: null,
    pinned: 0,
    project: null,
    agent_id: "default",
    visibility: "global",
    created_at,
    ...more,
  } as MemoryRow;
}

function page(ids: string[], next_cursor: string | null = null): MemoryList {
  const stats = { total: 250, withEmbeddings: 0, critical: 0 };
  return { memories: ids.map((id) => memory(id)), stats, next_cursor };
}

let list: MemoryRows;
const shown = (): string => list.rows.map((row) => row.id).join(" ");

beforeEach(() => {
  vi.useFakeTimers();
  list = new MemoryRows();
});

afterEach(() => vi.useRealTimers());

test("the next page follows where the first ended", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValueOnce(page(["9", "8"], "after-8"));
  await list.load({ q: "" });
  expect(list.isComplete).toBe(false);
  memories.mockResolvedValueOnce(page(["8", "7"]));
  await list.more();
  expect(memories.mock.lastCall?.[0].cursor).toBe("after-8");
  expect(shown()).toBe("9 8 7");
  expect(list.isComplete).toBe(true);
});

test("two wishes for more make one call", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValueOnce(page(["9"], "c"));
  await list.load({ q: "" });
  memories.mockResolvedValueOnce(page(["8"]));
  await Promise.all([list.more(), list.more()]);
  expect(memories).toHaveBeenCalledTimes(2);
});

test("the answer to an older query never replaces a newer one", async () => {
  const signals: AbortSignal[] = [];
  vi.spyOn(api, "search").mockImplementation((query, signal) => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(new DOMException("", "AbortError"));
      });
      if (query.q === "new") resolve({ results: [{ ...memory("2"), pinned: false } as never], weaker: 0 });
    });
  });
  vi.spyOn(api, "memories").mockResolvedValue(page([]));
  const old = list.load({ q: "old" });
  await list.load({ q: "new" });
  await old;
  expect(signals[0]?.aborted).toBe(true);
  expect(shown()).toBe("2");
  expect(list.isBusy).toBe(false);
});

test("a search asks for the project's own and shows all that answers", async () => {
  const search = vi.spyOn(api, "search").mockResolvedValue({ results: [memory("2", { project: "/a" }) as never], weaker: 0 });
  vi.spyOn(api, "memories").mockResolvedValue(page([]));
  await list.load({ q: "jasper", project: "/a" });
  expect(search.mock.lastCall?.[0]).toMatchObject({ q: "jasper", project: "/a", exactProject: true });
  expect(shown()).toBe("2");
});

test("weaker matches are asked for once, and not for the next query", async () => {
  const search = vi.spyOn(api, "search").mockResolvedValueOnce({ results: [], weaker: 4 });
  search.mockResolvedValue({ results: [memory("2") as never], weaker: 0 });
  vi.spyOn(api, "memories").mockResolvedValue(page([]));
  await list.load({ q: "jasper" });
  expect([shown(), list.weaker]).toEqual(["", 4]);
  await list.showWeaker();
  expect(search.mock.lastCall?.[0]).toMatchObject({ q: "jasper", min_score: 0 });
  expect([shown(), list.weaker]).toEqual(["2", 0]);
  await list.load({ q: "onyx" });
  expect(search.mock.lastCall?.[0]).not.toHaveProperty("min_score");
});

test("a failure is told, and a retry mends it", async () => {
  const memories = vi.spyOn(api, "memories");
  memories.mockRejectedValueOnce(new ApiError(503, { code: "unavailable", title: "Not now", detail: "checking" }));
  await list.load({ q: "" });
  expect(list.phase).toBe("failed");
  memories.mockResolvedValueOnce(page(["1"]));
  await list.reload();
  expect(list.phase).toBe("ready");
  expect(shown()).toBe("1");
});

async function change(what: "added" | "updated" | "deleted", ids: string[]): Promise<void> {
  list.handleChange({ topic: "memory", what, ids });
  await vi.advanceTimersByTimeAsync(100);
}

test("an added memory appears, a deleted one goes, without reading the list anew", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValue(page(["3", "1"]));
  vi.spyOn(api, "memory").mockImplementation((id) => Promise.resolve(memory(id)));
  await list.load({ q: "" });
  await change("added", ["2"]);
  expect(shown()).toBe("3 2 1");
  await change("deleted", ["3"]);
  expect(shown()).toBe("2 1");
  expect(memories.mock.calls.slice(1).every(([query]) => query.limit === 1)).toBe(true);
});

test("a memory that no longer matches the filter goes", async () => {
  vi.spyOn(api, "memories").mockResolvedValue(page(["1"]));
  vi.spyOn(api, "memory").mockResolvedValue(memory("1", { type: "rule" }));
  await list.load({ q: "", type: "fact" });
  await change("updated", ["1"]);
  expect(shown()).toBe("");
});

test("a burst of changes reads the list anew, at most once a second", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValue(page(["1"]));
  await list.load({ q: "" });
  const ids = Array.from({ length: 30 }, (_, index) => String(index));
  for (let tenth = 0; tenth < 15; tenth += 1) {
    for (const id of ids) list.handleChange({ topic: "memory", what: "added", ids: [id] });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(memories).toHaveBeenCalledTimes(2);
});

test("changes of another room are none of its business", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValue(page(["1"]));
  await list.load({ q: "" });
  list.handleChange({ topic: "jobs", what: "added", ids: ["1"] });
  await vi.advanceTimersByTimeAsync(100);
  expect(memories).toHaveBeenCalledTimes(1);
});

test("a search is asked again as memories get their vectors, at most once a second", async () => {
  const search = vi.spyOn(api, "search").mockResolvedValue({ results: [], weaker: 0 });
  vi.spyOn(api, "memories").mockResolvedValue(page([]));
  await list.load({ q: "automobile" });
  for (let tenth = 0; tenth < 15; tenth += 1) {
    list.handleChange({ topic: "embeddings", what: "updated", ids: [String(tenth)] });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(search).toHaveBeenCalledTimes(2);
  list.handleChange({ topic: "memory", what: "added", ids: ["20"] });
  await vi.advanceTimersByTimeAsync(100);
  expect(search).toHaveBeenCalledTimes(3);
});

test("vectors change nothing in a list that nobody searched", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValue(page(["1"]));
  await list.load({ q: "" });
  list.handleChange({ topic: "embeddings", what: "updated", ids: ["1"] });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(memories).toHaveBeenCalledTimes(1);
});

test("a removed row can be put back in its place", async () => {
  vi.spyOn(api, "memories").mockResolvedValue(page(["3", "2", "1"]));
  await list.load({ q: "" });
  const putBack = list.remove("2");
  expect(shown()).toBe("3 1");
  putBack();
  expect(shown()).toBe("3 2 1");
});

test("an answer that was asked for before does not bring a removed row back", async () => {
  vi.spyOn(api, "memories").mockResolvedValue(page(["3", "2", "1"]));
  await list.load({ q: "" });
  let answer = (): void => undefined;
  vi.spyOn(api, "memory").mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = () => {
          resolve(memory("2"));
        };
      }),
  );
  list.handleChange({ topic: "memory", what: "updated", ids: ["2"] });
  await vi.advanceTimersByTimeAsync(1_000);
  list.remove("2");
  answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe("3 1");
  list.handleChange({ topic: "memory", what: "recovered", ids: ["2"] });
  await vi.advanceTimersByTimeAsync(1_000);
  answer();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe("3 2 1");
});

test("all that match a search that is on its way are those that it finds", async () => {
  const memories = vi.spyOn(api, "memories").mockResolvedValue(page(["9", "8"], "after-8"));
  await list.load({ q: "" });
  let answer = (): void => undefined;
  vi.spyOn(api, "search").mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = () => {
          resolve({ results: [{ ...memory("2"), pinned: false } as never], weaker: 0 });
        };
      }),
  );
  const search = list.load({ q: "new" });
  memories.mockClear();
  const all = list.collect(new AbortController().signal, () => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(memories).not.toHaveBeenCalled();
  answer();
  await search;
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await all).map((row) => row.id)).toEqual(["2"]);
});

test("where the answer to a query does not come, all that match are nobody", async () => {
  vi.spyOn(api, "memories")
    .mockResolvedValueOnce(page(["9"], "after-9"))
    .mockRejectedValue(new ApiError(500, { code: "x", title: "t", detail: "broken" }));
  await list.load({ q: "" });
  await list.load({ q: "", type: "rule" });
  await expect(list.collect(new AbortController().signal, () => undefined)).rejects.toThrow("broken");
});

test("a row that is put back after another query was asked comes only where it answers that", async () => {
  vi.spyOn(api, "memories")
    .mockResolvedValueOnce(page(["3", "2"]))
    .mockResolvedValue(page(["1"]));
  vi.spyOn(api, "memory").mockResolvedValue(memory("2"));
  await list.load({ q: "" });
  const putBack = list.remove("2");
  await list.load({ q: "", type: "rule" });
  putBack();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe("1");
});

/** A page that comes when it is said so. */
function latePage(ids: string[]): () => void {
  let come = (): void => undefined;
  vi.spyOn(api, "memories").mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        come = () => {
          resolve(page(ids));
        };
      }),
  );
  return () => {
    come();
  };
}

test("what changed while an answer was on its way is taken in after it", async () => {
  vi.spyOn(api, "memories").mockResolvedValue(page(["3", "2"]));
  vi.spyOn(api, "memory").mockResolvedValue(memory("2", { content: "newer" }));
  await list.load({ q: "" });
  const come = latePage(["3", "2"]);
  const load = list.load({ q: "", type: "fact" });
  await change("deleted", ["3"]);
  await change("updated", ["2"]);
  come();
  await load;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(list.rows.map((row) => row.line)).toEqual(["newer"]);
});

test("what was forgotten while its page was on its way does not come with it", async () => {
  vi.spyOn(api, "memories").mockResolvedValue({ ...page(["3"]), next_cursor: "after-3" });
  await list.load({ q: "" });
  const come = latePage(["2", "1"]);
  const more = list.more();
  await change("deleted", ["2"]);
  come();
  await more;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe("3 1");
});

test("a late answer about a memory does not bring it back after it was forgotten", async () => {
  vi.spyOn(api, "memories").mockResolvedValue(page(["3", "2"]));
  let come = (): void => undefined;
  vi.spyOn(api, "memory").mockImplementation(
    () =>
      new Promise((resolve) => {
        come = () => {
          resolve(memory("2"));
        };
      }),
  );
  await list.load({ q: "" });
  await change("updated", ["2"]);
  await change("deleted", ["2"]);
  come();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toBe("3");
});
