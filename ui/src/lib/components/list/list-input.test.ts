import { expect, test } from "vitest";

import { printNote, rowStep } from "./list-input";

test("keys move by a row, a page, or to an end", () => {
  expect(["ArrowUp", "PageDown", "Home", "End", "x"].map((key) => rowStep(key, 9, 50))).toEqual([-1, 9, -50, 50, undefined]);
});

test("a print says what it lacks", () => {
  expect(printNote(300, 300)).toBe("");
  expect(printNote(300, undefined)).toBe("Printed are the 300 lines that were loaded, of more.");
  expect(printNote(5_000, 5_000)).toBe("Printed are the first 2,000 lines of 5,000.");
  expect(printNote(5_000, undefined)).toBe("Printed are the first 2,000 lines of more than 5,000.");
});
