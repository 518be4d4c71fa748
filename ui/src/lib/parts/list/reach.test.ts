import { expect, test } from "vitest";

import { notPrinted, stride } from "./reach";

test("keys move by a row, a page, or to an end", () => {
  expect(["ArrowUp", "PageDown", "Home", "End", "x"].map((key) => stride(key, 9, 50))).toEqual([-1, 9, -50, 50, undefined]);
});

test("a print says what it lacks", () => {
  expect(notPrinted(300, 300)).toBe("");
  expect(notPrinted(300, undefined)).toBe("Printed are the 300 lines that were loaded, of more.");
  expect(notPrinted(5_000, 5_000)).toBe("Printed are the first 2,000 lines of 5,000.");
  expect(notPrinted(5_000, undefined)).toBe("Printed are the first 2,000 lines of more than 5,000.");
});
