import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { RequestTiming, SLOW_MS } from "./request-timing";

let pace: RequestTiming;
let told: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  pace = new RequestTiming();
  told = [];
  pace.onChange((isSlow) => told.push(isSlow));
});

afterEach(() => vi.useRealTimers());

test("an answer in time is no news", () => {
  const end = pace.begin();
  vi.advanceTimersByTime(SLOW_MS - 1);
  end();
  vi.advanceTimersByTime(SLOW_MS);
  expect(told).toEqual([]);
});

test("a late answer is told once, and so is its coming, however many are waited for", () => {
  const ends = [pace.begin(), pace.begin()];
  vi.advanceTimersByTime(SLOW_MS);
  for (const end of ends) end();
  expect(told).toEqual([true, false]);
});

test("a call that fails is no longer waited for", async () => {
  const call = pace.timed(
    () =>
      new Promise((_, reject) =>
        setTimeout(() => {
          reject(new Error("gone"));
        }, SLOW_MS + 1),
      ),
  )(new Request("http://localhost/"));
  const failed = expect(call).rejects.toThrow("gone");
  await vi.advanceTimersByTimeAsync(SLOW_MS + 1);
  await failed;
  expect(told).toEqual([true, false]);
});
