import { expect, test } from "vitest";

import type { EventTimelineEvent } from "$lib/api/timeline";

import { detailOf, linksOf, titleOf } from "./timeline-text";

function event(source: EventTimelineEvent["source"], name: string, details: EventTimelineEvent["details"] = {}): EventTimelineEvent {
  return { timestamp: "2026-01-31T09:00:00Z", source, event: name, details };
}

test("an event is named in words", () => {
  expect(titleOf(event("history", "created"))).toBe("Created");
  expect(titleOf(event("history", "told", { session: 4 }))).toBe("Told to a session");
  expect(titleOf(event("history", "told", { told: 1 }))).toBe("Told 1 memory");
  expect(titleOf(event("history", "considered", { considered: 12 }))).toBe("Told nothing of 12 memories");
  expect(titleOf(event("history", "rated", { rating: -1 }))).toBe("Rated -1");
  expect(titleOf(event("job", "model call"))).toBe("A language model was asked");
  expect(titleOf(event("error", "EMBEDDING_TIMEOUT"))).toBe("Error EMBEDDING_TIMEOUT");
  expect(titleOf(event("history", "add_alias"))).toBe("Add alias");
});

test("details are a line of names and numbers, without ids", () => {
  const call = event("job", "model call", { stage: "extract", ms: 1_200, tokens: 340, memoryId: "m-1" });
  expect(detailOf(call)).toBe("stage extract · 1,200 ms · 340 tokens");
  expect(detailOf(event("history", "rated", { rating: 1 }))).toBe("");
});

test("an event links to memory, session and log, but not to what the timeline is about", () => {
  const told = event("history", "told", { memoryId: "m-1", session: 4, requestId: "r 1" });
  expect(linksOf(told, "4")).toEqual([
    { href: "/memories/m-1", label: "Show the memory" },
    { href: "/logs?request=r%201", label: "Log of the request" },
  ]);
  expect(linksOf(told, "m-1").map(({ href }) => href)).toEqual(["/sessions/4", "/logs?request=r%201"]);
});
