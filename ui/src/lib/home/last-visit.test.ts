import { beforeEach, expect, test } from "vitest";

import { visit } from "./last-visit";

const HOUR = 3_600_000;
const START = Date.parse("2026-01-31T08:00:00Z");

beforeEach(() => {
  localStorage.clear();
});

test("at the first visit, the last week is new", () => {
  expect(visit(START)).toEqual({ iso: "2026-01-24T08:00:00.000Z", isFirst: true });
  expect(visit(START + 60_000).isFirst).toBe(true);
});

test("what is new stays new during a visit, and starts at its end in the next", () => {
  visit(START);
  visit(START + HOUR);
  const second = visit(START + HOUR + 60_000);
  expect(second).toEqual({ iso: "2026-01-31T08:00:00.000Z", isFirst: false });
  expect(visit(START + 5 * HOUR).iso).toBe("2026-01-31T09:01:00.000Z");
});
