import { expect, test } from "vitest";

import { score, scoreOf } from "./match";

const ACTIONS = [
  "Forget",
  "Pin or unpin",
  "Remember something",
  "Theme: dark",
  "Theme: light",
  "Density: compact",
  "Pause capture until tomorrow",
];

function best(query: string): string | undefined {
  return ACTIONS.toSorted((one, other) => score(query, other) - score(query, one))[0];
}

test.each([
  ["fo", "Forget"],
  ["td", "Theme: dark"],
  ["dark", "Theme: dark"],
  ["the li", "Theme: light"],
  ["un", "Pin or unpin"],
  ["rs", "Remember something"],
  ["pcut", "Pause capture until tomorrow"],
  ["compct", "Density: compact"],
])("%s finds %s", (query, action) => {
  expect(best(query)).toBe(action);
});

test("letters from all over are no match", () => {
  expect(score("da", "Density: compact")).toBe(0);
  expect(score("xyz", "Forget")).toBe(0);
});

test("the same beats a start, a start a word, a word a part, a part scattered letters", () => {
  const points = ["pin", "pinned", "the pin", "spinning", "plain"].map((text) => score("pin", text));
  expect(points).toEqual(points.toSorted((one, other) => other - one));
  expect(new Set(points).size).toBe(5);
});

test("accents and case do not matter", () => {
  expect(score("ete", "Été")).toBe(100);
});

test("the group and other words find it too, but its name goes before", () => {
  expect(scoreOf("go queue", "Queue", "Go to")).toBeGreaterThan(0);
  expect(scoreOf("sidebar", "Rail", "Everywhere", "sidebar")).toBeGreaterThan(0);
  expect(scoreOf("rail", "Rail", "Everywhere")).toBeGreaterThan(scoreOf("rail", "Other", "Everywhere", "rail"));
});
