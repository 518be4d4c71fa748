/** What the user may have taken back is decided on by keys. */

import { expect, test } from "vitest";

import { kindOf } from "./registry";

test("what may have been taken back is forgotten by one key, and kept by another", () => {
  const kind = kindOf({ kind: "taken_back" });
  const byKey = (key: string): string | undefined => kind.choices.find(({ keys }) => keys.includes(key))?.action;
  expect([byKey("d"), byKey("y")]).toEqual(["drop", "holds"]);
  expect(kind.outcomes.drop?.said("We use UTC.")).toBe("Forgot “We use UTC.”.");
});
