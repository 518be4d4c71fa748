import { describe, expect, it } from "vitest";

import { dayBegin, precisionText } from "./capture-today.svelte";

const told = (lines: number, forgotten: number, edited: number): string | undefined =>
  precisionText({ lines, forgotten, edited, precision: null });

describe("how often capture is right", () => {
  it("isn't told before it has saved anything", () => {
    expect(told(0, 0, 0)).toBeUndefined();
  });

  it("counts what was forgotten and what was rewritten", () => {
    expect(told(30, 2, 1)).toBe("Of the latest 30 memories that were saved without asking, you forgot or rewrote 3.");
    expect(told(12, 0, 0)).toBe("Of the latest 12 memories that were saved without asking, you forgot or rewrote none.");
  });

  it("speaks of one memory in the singular", () => {
    expect(told(1, 0, 0)).toBe("The latest memory that was saved without asking was kept as it is.");
    expect(told(1, 0, 1)).toBe("The latest memory that was saved without asking was forgotten or rewritten.");
  });
});

it("begins the day at midnight of the user's time zone", () => {
  const begin = new Date(dayBegin(Date.parse("2026-01-31T12:34:56Z")));
  expect([begin.getHours(), begin.getMinutes(), begin.getSeconds()]).toEqual([0, 0, 0]);
});
