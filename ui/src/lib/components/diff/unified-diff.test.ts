import { expect, test } from "vitest";

import { hunksOf, sideOf } from "./unified-diff";

const DIFF = `--- /home/kim/s.json
+++ /home/kim/s.json
@@ -1,2 +1,3 @@
 {
---- a
+++ b
+c
@@ -10,0 +12,1 @@
+}`;

test("lines keep their own signs, and hunks their place", () => {
  expect(hunksOf(DIFF)).toEqual([
    {
      start: 1,
      lines: [
        { kind: "same", text: "{" },
        { kind: "removed", text: "--- a" },
        { kind: "added", text: "++ b" },
        { kind: "added", text: "c" },
      ],
    },
    { start: 12, lines: [{ kind: "added", text: "}" }] },
  ]);
});

test("both sides can be read back", () => {
  const [first] = hunksOf(DIFF);
  if (first === undefined) throw new Error("no hunk");
  expect([sideOf(first, "added"), sideOf(first, "removed")]).toEqual(["{\n--- a\n", "{\n++ b\nc\n"]);
});

test("an empty diff has no hunks", () => {
  expect(hunksOf("")).toEqual([]);
});
