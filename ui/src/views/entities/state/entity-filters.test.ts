import { expect, test } from "vitest";

import { entityQueryOf, hasEntityFilters, NO_ENTITY_FILTERS, readEntityFilters, writeEntityFilters } from "./entity-filters";

test.each(["", "q=post", "type=tool", "project=%2Fwork%2Fhearth", "pinned=1", "q=a+b&type=person&project=x&pinned=1"])("%j is read and written alike", (text) => {
  expect(writeEntityFilters(readEntityFilters(new URLSearchParams(text))).toString()).toBe(text);
});

test.each(["type=planet", "project=", "pinned=0", "q=+"])("%j filters nothing", (text) => {
  const filters = readEntityFilters(new URLSearchParams(text));
  expect(hasEntityFilters(filters)).toBe(false);
  expect(writeEntityFilters(filters).toString()).toBe("");
});

test("only what filters is requested", () => {
  expect(entityQueryOf({ ...NO_ENTITY_FILTERS, q: " pg " })).toEqual({ q: "pg", type: undefined, project: undefined, pinned: undefined });
});
