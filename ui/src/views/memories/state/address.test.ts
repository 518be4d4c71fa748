import { expect, test } from "vitest";

import { hasFilter, readView, writeView, type View } from "./address";

const VIEW: View = { q: "", id: undefined, type: undefined, project: undefined, pinned: undefined };

function round(view: View): View {
  const { path, query } = writeView(view);
  return readView(path, new URLSearchParams(query.toString()));
}

test.each<View>([
  VIEW,
  { ...VIEW, q: "why & how? 100%", type: "rule", project: "/home/me/my ring", pinned: true },
  { ...VIEW, id: "0193/…?#" },
])("a view comes back from its address", (view) => {
  expect(round(view)).toEqual(view);
});

test("nothing is written that is not set", () => {
  expect(writeView(VIEW).query.toString()).toBe("");
});

test("a broken address shows the list", () => {
  expect(readView("/memories/%E0%A4%A", new URLSearchParams())).toEqual(VIEW);
  expect(readView("/", new URLSearchParams("pinned=maybe"))).toEqual(VIEW);
});

test("a search alone is no filter", () => {
  expect(hasFilter({ ...VIEW, q: "ring" })).toBe(false);
  expect(hasFilter({ ...VIEW, pinned: true })).toBe(true);
});
