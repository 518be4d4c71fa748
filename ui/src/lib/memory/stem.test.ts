import { expect, test } from "vitest";

import { fold, stem } from "./stem";
import stems from "./stems.json";

test.each(Object.entries(stems))("%s has the stem that the index gives it", (word, expected) => {
  expect(stem(fold(word))).toBe(expected);
});

test("accents and case do not tell words apart, and other scripts stay whole", () => {
  expect([fold("CAFÉ"), fold("Ünï"), fold("한국어"), fold("が")]).toEqual(["cafe", "uni", "한국어", "が"]);
});
