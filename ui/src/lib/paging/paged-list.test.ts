import { beforeEach, expect, test } from "vitest";

import { ApiError } from "$lib/api/errors";

import { PagedList, type Page } from "./paged-list.svelte";

interface Stone {
  readonly id: string;
}

const BROKEN = new ApiError(500, { code: "x", title: "t", detail: "It broke." });
const numbered = (from: number, to: number): Stone[] => Array.from({ length: to - from }, (_, at) => ({ id: String(from + at) }));

/** Stones numbered from 0, of which `count` exist; the cursor is the number of the next one. */
class Stones extends PagedList<Stone, string> {
  protected override readonly maxPage = 250;
  readonly calls: (readonly [string, number, string | undefined])[] = [];
  count = 1_000;
  /** How many rows each page repeats of the previous one. */
  overlap = 0;
  failure: ApiError | undefined;

  protected async readPage(filters: string, limit: number, cursor: string | undefined): Promise<Page<Stone>> {
    this.calls.push([filters, limit, cursor]);
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
    const from = Number(cursor ?? 0);
    const to = Math.min(this.count, from + limit);
    return { rows: numbered(Math.max(0, from - this.overlap), to), cursor: to < this.count ? String(to) : null };
  }
}

let stones: Stones;

beforeEach(() => {
  stones = new Stones("opal");
});

test("the first page is read with the filters it was made with", async () => {
  await stones.load();
  expect(stones.calls).toEqual([["opal", 100, undefined]]);
  expect([stones.rows.length, stones.isComplete]).toEqual([100, false]);
});

test("a reload reads as far as the user has scrolled, within the daemon's limit, and other filters from the start", async () => {
  await stones.load();
  await stones.more();
  await stones.more();
  stones.visibleRows = 300;
  stones.calls.length = 0;
  await stones.load();
  expect(stones.calls).toEqual([
    ["opal", 250, undefined],
    ["opal", 150, "250"],
  ]);
  expect(stones.rows).toEqual(numbered(0, 400));
  stones.calls.length = 0;
  await stones.load("jade");
  expect(stones.calls).toEqual([["jade", 100, undefined]]);
});

test("a row that moved to the next page is listed once", async () => {
  stones.count = 150;
  stones.overlap = 20;
  await stones.load();
  await stones.more();
  expect(stones.rows).toEqual(numbered(0, 150));
  expect(stones.isComplete).toBe(true);
});

test("the next page is read once at a time, and not past the end", async () => {
  stones.count = 150;
  await stones.load();
  await Promise.all([stones.more(), stones.more()]);
  await stones.more();
  expect(stones.calls.slice(1)).toEqual([["opal", 200, "100"]]);
});

test("a next page that fails leaves the rows, and is read again only when retried", async () => {
  await stones.load();
  stones.failure = BROKEN;
  await stones.more();
  await stones.more();
  expect([stones.calls.length, stones.rows.length, stones.moreError]).toEqual([2, 100, BROKEN]);
  stones.failure = undefined;
  await stones.retryMore();
  expect([stones.rows.length, stones.moreError]).toEqual([300, undefined]);
});

test("a next page that is overtaken by a reload is dropped", async () => {
  await stones.load();
  const page = stones.more();
  await stones.load("jade");
  await page;
  expect(stones.rows).toEqual(numbered(0, 100));
  await stones.more();
  expect(stones.rows).toEqual(numbered(0, 300));
});
