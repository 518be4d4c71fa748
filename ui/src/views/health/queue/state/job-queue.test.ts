import { beforeEach, expect, test, vi } from "vitest";

import { api, type JobList, type JobRow } from "$lib/api/client";

import { JobQueue } from "./job-queue.svelte";

const ALL = Array.from({ length: 1_300 }, (_, at) => ({ id: String(at) }) as JobRow);

function page(cursor: string | undefined, limit: number): JobList {
  const start = cursor === undefined ? 0 : Number(cursor);
  const end = start + limit;
  return {
    jobs: ALL.slice(start, end),
    next_cursor: end < ALL.length ? String(end) : null,
    counts: [],
    oldest_age_s: null,
    done_last_minute: 0,
  };
}

let queue: JobQueue;

beforeEach(() => {
  queue = new JobQueue();
  vi.spyOn(api, "deadJobs").mockImplementation((cursor, _, limit = 50) => Promise.resolve(page(cursor, limit)));
});

test("what was asked for besides stays when it is read anew", async () => {
  await queue.load();
  expect(queue.dead).toHaveLength(50);
  await queue.loadMore();
  await queue.load();
  expect(queue.dead).toEqual(ALL.slice(0, 100));
  expect(queue.more).toBe("100");
});

test("more than one request gives is read anew in as few as can be", async () => {
  queue.set({ list: page("1150", 50), dead: ALL.slice(0, 1_200) });
  await queue.load();
  expect(queue.dead).toEqual(ALL.slice(0, 1_200));
  expect(api.deadJobs).toHaveBeenCalledTimes(3);
});

test("what is asked for while it is read anew is not dropped", async () => {
  await queue.load();
  let answer: (list: JobList) => void = () => undefined;
  vi.mocked(api.deadJobs).mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const loading = queue.load();
  await queue.loadMore();
  answer(page(undefined, 50));
  await loading;
  expect(queue.dead).toEqual(ALL.slice(0, 100));
});
