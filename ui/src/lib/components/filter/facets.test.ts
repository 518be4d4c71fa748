import { expect, test } from "vitest";

import { chosenAfter, matching } from "./facets";

const values = [
  { value: "fact", label: "Fact", detail: "What is so" },
  { value: "café", label: "Café" },
  { value: "/home/a/tea", label: "tea", detail: "/home/a/tea" },
];

test("nothing asked leaves all values", () => {
  expect(matching(values, "  ")).toBe(values);
});

test.each([
  ["CAFE", ["café"]],
  ["what fact", ["fact"]],
  ["home", ["/home/a/tea"]],
  ["nowhere", []],
])("%j finds %j", (asked, found) => {
  expect(matching(values, asked).map((facet) => facet.value)).toEqual(found);
});

test("of many, each value is chosen and given up by itself", () => {
  expect(chosenAfter(["a"], "b", true)).toEqual(["a", "b"]);
  expect(chosenAfter(["a", "b"], "a", true)).toEqual(["b"]);
});

test("of one, the new value replaces the old, and pressed again it is given up", () => {
  expect(chosenAfter(["a"], "b", false)).toEqual(["b"]);
  expect(chosenAfter(["a"], "a", false)).toEqual([]);
});
