import { expect, test } from "vitest";

import { contentsOf, newestCopy } from "./copy-text";

const copy = (name: string, more: object = {}) => ({ name, bytes: 2_500_000, created_at: "2026-01-31T08:00:00Z", ...more });

test("the newest copy is chosen, unless it is empty or from the future", () => {
  expect(newestCopy([copy("a"), copy("b")])).toBe("a");
  expect(newestCopy([copy("a", { in_future: true }), copy("b")])).toBe("b");
  expect(newestCopy([copy("a", { in_future: true })])).toBe("a");
  expect(newestCopy([copy("a", { memories: 0 }), copy("b", { memories: 3 })])).toBe("b");
  expect(newestCopy([copy("a", { memories: 0 })])).toBe("a");
  expect(newestCopy([])).toBeUndefined();
});

test.each([
  [{}, "2.5 MB"],
  [{ memories: 0 }, "Empty, 2.5 MB"],
  [{ memories: 1 }, "1 memory, 2.5 MB"],
  [{ memories: 1_200 }, "1,200 memories, 2.5 MB"],
])("a copy is described by what is in it: %o", (more, text) => {
  expect(contentsOf(copy("a", more))).toBe(text);
});
