import { describe, expect, it } from "vitest";

import { age, byType, pace } from "./words";

describe("byType", () => {
  it("makes one line of a type", () => {
    expect(
      byType([
        { type: "tidy", label: "Tidying", status: "pending", count: 3 },
        { type: "tidy", label: "Tidying", status: "dead", count: 1 },
        { type: "sort", label: "Sorting", status: "leased", count: 2 },
      ]),
    ).toEqual([
      { type: "tidy", label: "Tidying", waiting: 3, working: 0, givenUp: 1 },
      { type: "sort", label: "Sorting", waiting: 0, working: 2, givenUp: 0 },
    ]);
  });

  it("leaves out what is done", () => {
    expect(byType([{ type: "tidy", label: "Tidying", status: "completed", count: 9 }])).toEqual([]);
  });
});

describe("age", () => {
  it.each([
    [0, "0 s"],
    [59.9, "59 s"],
    [60, "1 min"],
    [3_599, "59 min"],
    [3_600, "1 h"],
    [200_000, "2 d"],
  ])("%d seconds", (seconds, words) => {
    expect(age(seconds)).toBe(words);
  });
});

describe("pace", () => {
  it("says nothing of a queue that is empty and still", () => {
    expect(pace(0, null)).toBe("");
  });

  it("says both", () => {
    expect(pace(12, 61)).toBe("12 done in the last minute, the oldest waits 1 min");
  });
});
