import { expect, test } from "vitest";

import type { FacetsReply } from "$lib/api/client";

import { filterChange, choicesOf, type Choice, type FilterContext } from "./filter-choices";

const facets = {
  type: [{ value: "rule", count: 7 }],
  project: [
    { value: "/work/ring", count: 4 },
    { value: null, count: 3 },
  ],
  agent: [],
  visibility: [],
  who: [{ value: "user", count: 7 }],
  tags: [
    { value: "build", count: 2 },
    { value: "db", count: 1 },
  ],
  source_type: [],
  pinned: [{ value: true, count: 1 }],
  importance: [
    { value: 0.2, count: 1 },
    { value: 0.3, count: 2 },
    { value: 0.6, count: 4 },
    { value: 0.7, count: 8 },
    { value: 0.9, count: 16 },
  ],
} as FacetsReply["facets"];
const offer: FilterContext = { view: {}, facets, saved: [{ name: "Mine", query: "pinned=1" }], canSave: true, agentName: (id) => id };

const labels = (choices: readonly Choice[]): string[] => choices.map((one) => one.label);
const counts = (choices: readonly Choice[]): unknown[] => choices.map((one) => (one.kind === "value" ? one.count : one.kind));

test("at first the fields are offered, the saved filters, and what can be done", () => {
  const shown = choicesOf("", undefined, { ...offer, view: { type: "rule" } });
  expect(labels(shown).slice(0, 3)).toEqual(["Type", "Project", "Tag"]);
  expect(labels(shown).slice(-4)).toEqual(["Mine", "Save filter…", "Manage saved filters…", "Clear all filters"]);
  expect(shown[0]).toMatchObject({ detail: "Rule" });
});

test("a field offers its values with their counts; a value that nothing has is offered while it is in force", () => {
  const shown = choicesOf("", "type", { ...offer, view: { type: "decision" } });
  expect(labels(shown)).toEqual(["Decision", "Rule"]);
  expect(counts(shown)).toEqual([undefined, 7]);
});

test("tenths of the scale are counted in their bands", () => {
  expect(counts(choicesOf("", "importance", offer))).toEqual([24, 6, 1]);
});

test("what is typed finds values of every field, by the name of the field too", () => {
  expect(labels(choicesOf("ring", undefined, offer))).toEqual(["ring"]);
  expect(labels(choicesOf("tag b", undefined, offer))).toEqual(["build", "db"].filter((one) => one.includes("b")));
  expect(labels(choicesOf("mine", undefined, offer))).toEqual(["Mine"]);
});

test("days of the calendar belong to the time alone", () => {
  expect(labels(choicesOf("", "when", offer)).at(-1)).toBe("Custom range…");
});

test.each([
  [{}, "type", "rule", false, { type: "rule" }],
  [{ type: "rule" }, "type", "rule", true, { type: undefined }],
  [{}, "project", null, false, { project: null }],
  [{ tags: ["a"] }, "tags", "b", false, { tags: ["a", "b"] }],
  [{ tags: ["a"] }, "tags", "a", true, { tags: undefined }],
  [{ from: "2026-01-01" }, "when", "week", false, { when: "week", from: undefined, to: undefined }],
  [{}, "pinned", "false", false, { pinned: false }],
] as const)("with %o choosing %s %s (on: %s) changes %o", (view, field, value, isOn, change) => {
  expect(filterChange(view, { field, value, isOn })).toEqual(change);
});
