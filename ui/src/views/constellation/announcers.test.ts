import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api, type MemoryRow } from "$lib/api/client";
import { clusteredMap } from "$lib/constellation/testing";
import { render } from "$lib/testing";

import Announcer from "./Announcer.svelte";
import PointAnnouncer from "./PointAnnouncer.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test("a text is told once it has stayed for a moment", async () => {
  const page = render(Announcer, { text: "3 memories selected" });
  expect(page.textContent).toBe("");
  await vi.advanceTimersByTimeAsync(500);
  expect(page.querySelector("[aria-live=polite]")?.textContent).toBe("3 memories selected");
});

test("the memory that the arrows came to is told with its type", async () => {
  vi.spyOn(api, "memory").mockResolvedValue({ type: "rule", content: "Never deploy\non Fridays" } as MemoryRow);
  const page = render(PointAnnouncer, { map: clusteredMap(5), current: 2, selected: new Set([2]) });
  await vi.advanceTimersByTimeAsync(500);
  expect(page.textContent).toBe("Rule: Never deploy on Fridays, selected");
});
