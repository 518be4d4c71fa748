import { afterEach, expect, test, vi } from "vitest";

import { retryStylesheets } from "./stylesheets";

afterEach(() => {
  vi.useRealTimers();
});

test("a stylesheet that failed to load is asked for again", () => {
  vi.useFakeTimers();
  const end = retryStylesheets();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  document.head.append(link);
  link.dispatchEvent(new Event("error"));
  vi.advanceTimersByTime(2_000);
  const again = document.head.querySelector("link");
  expect([again === link, again?.rel]).toEqual([false, "stylesheet"]);
  again?.remove();
  end();
});
