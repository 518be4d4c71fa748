import { beforeEach, expect, test, vi } from "vitest";

import { api, type LogRow } from "$lib/api/client";

import { LOG_URL } from "./log-filters";
import { LogRows, MOST_WAITING } from "./log-rows.svelte";

function line(number: number, category = "store"): LogRow {
  return { id: String(number), timestamp: "", level: "info", category, message: `line ${String(number)}` };
}

const ids = (rows: readonly LogRow[]): string => rows.map(({ id }) => id).join(" ");

let opened: { readonly after: string | null; isClosed: boolean }[];
let rows: LogRows;

beforeEach(async () => {
  opened = [];
  vi.restoreAllMocks();
  vi.spyOn(api, "logs").mockImplementation(({ cursor }) =>
    Promise.resolve(
      cursor === undefined
        ? { logs: [line(3), line(4)], count: 2, nextCursor: "3", end: "5" }
        : { logs: [line(1), line(2, "jobs")], count: 2, nextCursor: null, end: "9" },
    ),
  );
  rows = new LogRows((_query, after) => {
    const one = { after, isClosed: false };
    opened.push(one);
    return {
      close: () => {
        one.isClosed = true;
      },
    };
  });
  await rows.load(LOG_URL.none);
});

test("lines are listed newest first, with older pages below", () => {
  expect(ids(rows.rows)).toBe("4 3 2 1");
  expect([rows.isComplete, rows.parts]).toEqual([true, ["jobs", "store"]]);
});

test("new lines come on top, from where the first page ended", () => {
  expect(opened).toEqual([{ after: "5", isClosed: false }]);
  rows.add([line(5), line(6)]);
  expect(ids(rows.rows)).toBe("6 5 4 3 2 1");
});

test("new lines wait while nobody follows, and are shown afterwards", () => {
  rows.follow(false);
  rows.add([line(5)]);
  rows.add([line(6)]);
  expect([ids(rows.rows), ids(rows.waiting)]).toEqual(["4 3 2 1", "6 5"]);
  rows.follow(true);
  expect([ids(rows.rows), rows.waiting.length]).toEqual(["6 5 4 3 2 1", 0]);
});

test("of very many that wait, the list is loaded anew", () => {
  rows.follow(false);
  rows.add(Array.from({ length: MOST_WAITING + 5 }, (_, step) => line(10 + step)));
  rows.follow(true);
  expect([ids(rows.rows), rows.isBusy]).toEqual(["4 3 2 1", true]);
});

test("the oldest of very many are dropped, and loaded again below the last", () => {
  rows.add(Array.from({ length: 5_000 }, (_, step) => line(10 + step)));
  expect([rows.rows.length, rows.value?.cursor]).toEqual([5_000, "10"]);
});

test("a read, or the end of it, closes the stream", async () => {
  await rows.load({ ...LOG_URL.none, until: "2026-01-31T09:00:00Z" });
  expect(opened).toEqual([{ after: "5", isClosed: true }]);
  await rows.load(LOG_URL.none);
  rows.stop();
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true]);
});
