import { expect, test } from "vitest";

import { fieldChanges } from "./change-text";

test("each changed field is told with what it was and what it is", () => {
  const metadata = {
    type: ["fact", "rule"],
    tags: [[], ["db", "ci"]],
    pinned: [false, true],
    project: ["/work/ring", null],
    importance: [0.5, 0.8000001],
  };
  expect(fieldChanges(metadata)).toEqual([
    { label: "Type", before: "Fact", after: "Rule" },
    { label: "Tags", before: "none", after: "db, ci" },
    { label: "Pinned", before: "no", after: "yes" },
    { label: "Project", before: "ring", after: "All projects" },
    { label: "Importance", before: "0.5", after: "0.8" },
  ]);
});

test("what is no difference of a field is passed over", () => {
  expect(fieldChanges({ erased: true, type: "rule", other: [1, 2] })).toEqual([]);
  expect(fieldChanges(null)).toEqual([]);
});
