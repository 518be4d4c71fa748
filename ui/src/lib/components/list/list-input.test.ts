import { expect, test } from "vitest";

import { printNote, rowStep } from "./list-input";

test("keys move by a row, a page, or to an end", () => {
  expect(["ArrowUp", "PageDown", "Home", "End", "x"].map((key) => rowStep(key, 9, 50))).toEqual([-1, 9, -50, 50, undefined]);
});

test("a print says what it lacks", () => {
  expect(printNote(300, 300)).toBe("");
  expect(printNote(300, undefined)).toBe("Printed the 300 loaded rows. There are more.");
  expect(printNote(5_000, 5_000)).toBe("Printed the first 2,000 of 5,000 rows.");
  expect(printNote(5_000, undefined)).toBe("Printed the first 2,000 of more than 5,000 rows.");
});
