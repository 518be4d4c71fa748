import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Deadline } from "./deadline";

const work = vi.fn();
let deadline: Deadline;

beforeEach(() => {
  vi.useFakeTimers();
  work.mockReset();
  deadline = new Deadline(work);
});

afterEach(() => vi.useRealTimers());

test("what is asked for several times is done once, at the earliest date", () => {
  deadline.within(1_000);
  deadline.within(100);
  deadline.within(500);
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2_000);
  expect(work).toHaveBeenCalledTimes(1);
});

test("restarting puts it off", () => {
  deadline.restart(100);
  vi.advanceTimersByTime(60);
  deadline.restart(100);
  vi.advanceTimersByTime(60);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(40);
  expect(work).toHaveBeenCalledTimes(1);
});

test("what was stopped is not done, and can be asked for again", () => {
  deadline.within(100);
  deadline.stop();
  vi.advanceTimersByTime(100);
  expect(work).not.toHaveBeenCalled();
  deadline.within(10);
  vi.advanceTimersByTime(10);
  expect(work).toHaveBeenCalledTimes(1);
});

test("a date further off than a browser's timers reach does not come at once", () => {
  deadline.within(2 ** 40);
  vi.advanceTimersByTime(86_400_000);
  expect(work).not.toHaveBeenCalled();
  deadline.stop();
});
