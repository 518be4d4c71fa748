import { describe, expect, it } from "vitest";

import { formatAge, countByType, throughput } from "./job-counts";

describe("byType", () => {
  it("makes one line of a type", () => {
    expect(
      countByType([
        { type: "tidy", label: "Tidying", status: "pending", count: 3 },
        { type: "tidy", label: "Tidying", status: "dead", count: 1 },
        { type: "sort", label: "Sorting", status: "leased", count: 2 },
      ]),
    ).toEqual([
      { type: "tidy", label: "Tidying", queued: 3, running: 0, failed: 1 },
      { type: "sort", label: "Sorting", queued: 0, running: 2, failed: 0 },
    ]);
  });

  it("leaves out what is done", () => {
    expect(countByType([{ type: "tidy", label: "Tidying", status: "completed", count: 9 }])).toEqual([]);
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
    expect(formatAge(seconds)).toBe(words);
  });
});

describe("pace", () => {
  it("says nothing of a queue that is empty and still", () => {
    expect(throughput(0, null)).toBe("");
  });

  it("says both", () => {
    expect(throughput(12, 61)).toBe("12 done in the last minute, oldest waiting 1 min");
  });
});
