import { expect, test, vi } from "vitest";

import { ApiError } from "$lib/api/errors";
import type { ListRow } from "$lib/memory/rows";

import { patchOf, readTags, tagCounts, undoOf, type Change } from "./bulk-changes";
import { CHUNK, inChunks, summarize, keepSelected, type Result } from "./bulk-report";

const items = Array.from({ length: 450 }, (_, index) => ({ id: String(index) }));
const updated = (chunk: readonly { id: string }[]): Promise<Result[]> =>
  Promise.resolve(chunk.map(({ id }) => ({ id, status: "updated", newVersion: 2 })));
const nothing = (): void => undefined;

test("all go in chunks of the most that a request takes, and progress is told", async () => {
  const send = vi.fn(updated);
  const told: number[] = [];
  const report = await inChunks({
    items,
    verb: "updated",
    send,
    signal: new AbortController().signal,
    onprogress: (done) => told.push(done),
  });
  expect(send.mock.calls.map(([chunk]) => chunk.length)).toEqual([CHUNK, CHUNK, 50]);
  expect(told).toEqual([200, 400, 450]);
  expect(report.done.size).toBe(450);
  expect(summarize(report, "changed", 0)).toEqual({ text: "450 changed.", hint: "", failed: false });
});

test("a cancel ends it between two chunks; the rest is left and stays selected", async () => {
  const work = new AbortController();
  const report = await inChunks({
    items,
    verb: "updated",
    send: updated,
    signal: work.signal,
    onprogress: () => {
      work.abort();
    },
  });
  expect(report.done.size).toBe(200);
  expect(report.left).toHaveLength(250);
  expect(keepSelected(report)).toEqual(report.left);
  expect(summarize(report, "changed", 250).hint).toBe("250 not processed. They're still selected.");
});

test("a failed chunk stops it, and why is told", async () => {
  const error = new ApiError(0, { code: "unreachable", title: "t", detail: "It does not answer.", hint: "Start it." });
  const send = vi.fn(updated).mockResolvedValueOnce([]).mockRejectedValueOnce(error);
  const report = await inChunks({ items, verb: "updated", send, signal: new AbortController().signal, onprogress: nothing });
  expect(send).toHaveBeenCalledTimes(2);
  expect(report.left).toHaveLength(250);
  expect(summarize(report, "changed", 250)).toMatchObject({ text: "Nothing was changed.", failed: true });
  expect(summarize(report, "changed", 250).hint).toContain("Stopped: It does not answer. Start it.");
});

test("each outcome has its place", async () => {
  const statuses = ["deleted", "version_conflict", "not_found", "already_deleted", "pinned_requires_force", "strange", "no_changes"];
  const send = (): Promise<Result[]> =>
    Promise.resolve(statuses.map((status) => ({ id: status, status, ...(status === "strange" ? { error: "Not today" } : {}) })));
  const report = await inChunks({
    items: items.slice(0, 7),
    verb: "deleted",
    send,
    signal: new AbortController().signal,
    onprogress: nothing,
  });
  expect([...report.done.keys()]).toEqual(["deleted"]);
  expect(report.gone).toEqual(["not_found", "already_deleted"]);
  expect(keepSelected(report)).toEqual(["version_conflict", "pinned_requires_force", "strange"]);
  expect(summarize(report, "forgotten", 3).hint).toBe(
    "1 unchanged. 1 skipped: changed by someone else. 2 no longer exist. 1 skipped: pinned. 1 failed: Not today. They're still selected.",
  );
});

const ROW = { id: "a", version: 3, tags: ["db", "ci"], project: "/p", pinned: false, type: "fact", isPrivate: false } as unknown as ListRow;

test.each<[Change, object, object]>([
  [{ kind: "tags", add: ["new", "db"], remove: ["ci"] }, { tags: ["db", "new"] }, { tags: ["db", "ci"] }],
  [{ kind: "project", project: null }, { project: null }, { project: "/p" }],
  [{ kind: "pinned", pinned: true }, { pinned: true }, { pinned: false }],
  [{ kind: "type", type: "rule" }, { type: "rule" }, { type: "fact" }],
  [{ kind: "visibility", visibility: "private" }, { visibility: "private" }, { visibility: "global" }],
])("%o changes %o and its undo gives %o back", (change, changed, former) => {
  expect(patchOf(change, ROW)).toEqual({ id: "a", if_version: 3, ...changed });
  expect(undoOf(change, ROW, 4)).toEqual({ id: "a", if_version: 4, ...former });
});

test.each<Change>([
  { kind: "tags", add: ["db"], remove: ["other"] },
  { kind: "project", project: "/p" },
  { kind: "pinned", pinned: false },
  { kind: "type", type: "fact" },
  { kind: "visibility", visibility: "global" },
])("a row that is so already is left alone: %o", (change) => {
  expect(patchOf(change, ROW)).toBeUndefined();
});

test("tags are read as the daemon keeps them", () => {
  expect(readTags(" Data  Base, ci,CI ,, x")).toEqual(["data base", "ci", "x"]);
});

test("the tags of many are counted, most first", () => {
  expect(tagCounts([ROW, { ...ROW, tags: ["ci"] }])).toEqual([
    ["ci", 2],
    ["db", 1],
  ]);
});
