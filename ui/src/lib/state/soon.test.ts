import { afterEach, expect, test, vi } from "vitest";

import { Soon } from "./soon";

afterEach(() => vi.useRealTimers());

test("what is wanted several times is done once, at the first time that was named", () => {
  vi.useFakeTimers();
  const work = vi.fn();
  const soon = new Soon(work);
  soon.in(100);
  soon.in(1_000);
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(1);
  soon.in(50);
  vi.advanceTimersByTime(2_000);
  expect(work).toHaveBeenCalledTimes(2);
});

test("what was stopped is not done, and can be wanted anew", () => {
  vi.useFakeTimers();
  const work = vi.fn();
  const soon = new Soon(work);
  soon.in(100);
  soon.stop();
  vi.advanceTimersByTime(100);
  expect(work).not.toHaveBeenCalled();
  soon.in(10);
  vi.advanceTimersByTime(10);
  expect(work).toHaveBeenCalledTimes(1);
});
