import { beforeEach, expect, test, vi } from "vitest";

import { toasts } from "$lib/state/toasts.svelte";

import { MAX_SAVED_FILTERS, SavedFilters } from "./saved-filters.svelte";

beforeEach(() => {
  localStorage.clear();
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

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

test.each(["", "{", "{}", '[1, null, {"name": ""}]'])("what is no list of filters is none: %s", (text) => {
  localStorage.setItem("intaglio.filters", text);
  expect(new SavedFilters().all).toEqual([]);
});

test("one too many is refused, and none goes for it; a name that is there may be taken", () => {
  const saved = new SavedFilters();
  for (let at = 0; at < MAX_SAVED_FILTERS; at++) expect(saved.save(`a${String(at)}`, { q: String(at) })).toBe(true);
  expect(saved.save("z", { q: "z" })).toBe(false);
  expect(saved.all).toHaveLength(MAX_SAVED_FILTERS);
  expect(saved.save("a0", { q: "other" })).toBe(true);
  expect(saved.all.find((one) => one.name === "a0")?.query).toBe("q=other");
});

test("two pages do not overwrite each other's", () => {
  const [one, other] = [new SavedFilters(), new SavedFilters()];
  one.save("a", { q: "1" });
  other.save("b", { q: "2" });
  expect(other.all.map(({ name }) => name)).toEqual(["a", "b"]);
  one.handleStorage("intaglio.filters");
  expect(one.all).toEqual(other.all);
  one.remove("b");
  other.rename("a", "c");
  expect(new SavedFilters().all.map(({ name }) => name)).toEqual(["c"]);
});

/** The filters by name and query after the newest change is undone. */
async function undone(saved: SavedFilters): Promise<Record<string, string>> {
  toasts.undo();
  await vi.waitFor(() => {
    expect(toasts.all.at(-1)?.text).toMatch(/^Undone|^Couldn't undo/u);
  });
  return Object.fromEntries(saved.all.map(({ name, query }) => [name, query]));
}

test("saving, replacing, renaming and deleting are undone, the newest first", async () => {
  const saved = new SavedFilters();
  const words = (): { text: string } => ({ text: "Done." });
  expect(saved.undoably(() => saved.save("a", { q: "1" }), words)).toBe(true);
  saved.undoably(() => saved.save("a", { q: "2" }), words);
  saved.undoably(() => saved.rename("a", "b"), words);
  expect(await undone(saved)).toEqual({ a: "q=2" });
  expect(await undone(saved)).toEqual({ a: "q=1" });
  expect(await undone(saved)).toEqual({});
  expect(saved.undoably(() => saved.save(" ", { q: "1" }), words)).toBe(false);
});

test("an undo leaves alone what another page did since", async () => {
  const [saved, other] = [new SavedFilters(), new SavedFilters()];
  saved.undoably(
    () => saved.save("a", { q: "1" }),
    () => ({ text: "Saved." }),
  );
  other.save("b", { q: "2" });
  expect(await undone(saved)).toEqual({ b: "q=2" });
  saved.undoably(
    () => saved.save("a", { q: "1" }),
    () => ({ text: "Saved." }),
  );
  other.save("a", { q: "3" });
  expect(await undone(saved)).toEqual({ a: "q=3", b: "q=2" });
  expect(toasts.all.at(-1)?.text).toBe("Couldn't undo: it has been changed since.");
});

test("in a browser that keeps nothing they are there until the page is closed", () => {
  new SavedFilters().save("old", { q: "0" });
  const saved = new SavedFilters();
  const full = vi.spyOn(localStorage, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(saved.save("a", { q: "1" })).toBe(true);
  expect(saved.save("b", { q: "2" })).toBe(true);
  expect(full).toHaveBeenCalled();
  expect([saved.isPersistent, saved.all.map(({ name }) => name)]).toEqual([false, ["a", "b", "old"]]);
});
