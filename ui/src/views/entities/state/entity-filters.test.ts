import { expect, test } from "vitest";

import { ENTITY_URL, entityQueryOf } from "./entity-filters";

test.each(["", "q=post", "type=tool", "project=%2Fwork%2Fhearth", "pinned=1", "q=a+b&type=person&project=x&pinned=1"])(
  "%j is read and written alike",
  (text) => {
    expect(ENTITY_URL.write(ENTITY_URL.read(new URLSearchParams(text))).toString()).toBe(text);
  },
);

test.each(["type=planet", "project=", "pinned=0", "q=+"])("%j filters nothing", (text) => {
  const filters = ENTITY_URL.read(new URLSearchParams(text));
  expect(ENTITY_URL.isFiltered(filters)).toBe(false);
  expect(ENTITY_URL.write(filters).toString()).toBe("");
});

test("only what filters is requested", () => {
  expect(entityQueryOf({ ...ENTITY_URL.none, q: " pg " })).toEqual({ q: "pg", type: undefined, project: undefined, pinned: undefined });
});
