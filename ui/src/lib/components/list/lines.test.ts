import { expect, test } from "vitest";

import { Lines, type GroupHeading } from "./lines";

const heading = (at: number): GroupHeading => ({ at, key: String(at), label: "", count: "" });

test("rows and headings share the lines, and each line leads back to its row", () => {
  // heading 0 1 heading 2 heading 3 4
  const lines = new Lines(5, [0, 2, 3].map(heading));
  expect(lines.length).toBe(8);
  expect([0, 1, 2, 3, 4].map((row) => lines.lineOf(row))).toEqual([1, 2, 4, 6, 7]);
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map((line) => lines.rowAt(line))).toEqual([0, 0, 1, 2, 2, 3, 3, 4, 5]);
  expect([0, 1, 2, 3, 4].map((row) => lines.headingOf(row))).toEqual([0, 0, 1, 2, 2]);
  const sections = lines.grouped([{ index: 1 }, { index: 2 }, { index: 0 }]);
  expect(sections.map((one) => [one.heading?.key, one.rows.map((row) => row.index)])).toEqual([
    ["0", [1, 0]],
    ["2", [2]],
  ]);
});

test("a list without headings has a line per row", () => {
  const lines = new Lines(3, []);
  expect([lines.length, lines.lineOf(2), lines.rowAt(1), lines.headingOf(2)]).toEqual([3, 2, 1, -1]);
});
