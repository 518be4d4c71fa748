import { expect, test } from "vitest";

import { withPage, lineOf, withRow, tagsOf, type ListRow } from "./rows";

function row(id: string, minute: number, more: Partial<ListRow> = {}): ListRow {
  const createdAt = `2026-11-21T10:${String(minute).padStart(2, "0")}:00.000Z`;
  return {
    id,
    line: id,
    type: "fact",
    tags: [],
    pinned: false,
    isAlwaysTold: false,
    project: null,
    agent: "default",
    isPrivate: false,
    status: "current",
    importance: 0.5,
    who: "user",
    createdAt,
    version: 1,
    source: "manual",
    session: null,
    match: undefined,
    ...more,
  };
}

const ids = (rows: readonly ListRow[]): string => rows.map((one) => one.id).join("");

test("a new memory stands first", () => {
  expect(ids(withRow([row("b", 2), row("a", 1)], row("c", 3), false))).toBe("cba");
});

test("a recovered memory goes back to its place", () => {
  expect(ids(withRow([row("c", 3), row("a", 1)], row("b", 2), false))).toBe("cba");
});

test("an updated memory stays where it is, with its new text", () => {
  const rows = withRow([row("b", 2), row("a", 1)], row("b", 2, { line: "new" }), false);
  expect(ids(rows)).toBe("ba");
  expect(rows[0]?.line).toBe("new");
});

test("the last loaded row stays when it is updated", () => {
  expect(ids(withRow([row("b", 2), row("a", 1)], row("a", 1), false))).toBe("ba");
});

test("one older than what is loaded waits for its page", () => {
  const rows = [row("c", 3), row("b", 2)];
  expect(ids(withRow(rows, row("a", 1), false))).toBe("cb");
  expect(ids(withRow(rows, row("a", 1), true))).toBe("cba");
});

test("memories of one millisecond are sorted by id", () => {
  expect(ids(withRow([row("c", 1), row("a", 1)], row("b", 1), false))).toBe("cba");
});

test("a row on two pages stands once", () => {
  expect(ids(withPage([row("c", 3), row("b", 2)], [row("b", 2), row("a", 1)]))).toBe("cba");
});

test("line breaks and runs of blanks become one blank", () => {
  expect(lineOf("  one\n\n two\tthree ")).toBe("one two three");
});

test("tags are split and trimmed", () => {
  expect(tagsOf("db, build ,,")).toEqual(["db", "build"]);
  expect(tagsOf(null)).toEqual([]);
});
