import { beforeEach, expect, test } from "vitest";

import { SavedFilters } from "./saved.svelte";

beforeEach(() => { localStorage.clear(); });

test("a named filter is there again in a new page", () => {
  new SavedFilters().save("  My rules ", { q: "ring", type: "rule", tags: ["a b"] });
  const again = new SavedFilters();
  expect(again.all).toEqual([{ name: "My rules", query: "q=ring&type=rule&tag=a+b" }]);
  expect(again.nameOf({ q: "ring", type: "rule", tags: ["a b"] })).toBe("My rules");
  expect(again.nameOf({ q: "", type: "rule" })).toBeUndefined();
});

test("the same name is kept once, with the newer filter", () => {
  const saved = new SavedFilters();
  saved.save("a", { q: "one" });
  saved.save("a", { q: "two" });
  expect(saved.all).toEqual([{ name: "a", query: "q=two" }]);
});

test("a name is changed, but never to one that another has", () => {
  const saved = new SavedFilters();
  saved.save("a", { q: "1" });
  saved.save("b", { q: "2" });
  expect(saved.rename("a", "b")).toBe(false);
  expect(saved.rename("a", " ")).toBe(false);
  expect(saved.rename("a", "c")).toBe(true);
  expect(saved.all.map((one) => one.name)).toEqual(["b", "c"]);
  saved.remove("b");
  expect(saved.all.map((one) => one.name)).toEqual(["c"]);
});

test.each(["", "{", "{}", "[1, null, {\"name\": \"\"}]"])("what is no list of filters is none: %s", (text) => {
  localStorage.setItem("intaglio.filters", text);
  expect(new SavedFilters().all).toEqual([]);
});
