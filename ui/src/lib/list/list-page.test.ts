import { beforeEach, expect, test, vi } from "vitest";

import { PagedList, type Page } from "$lib/paging/paged-list.svelte";
import { router } from "$lib/state/router.svelte";

import { ListPage } from "./list-page.svelte";
import { listShortcuts } from "./list-shortcuts";
import { flag, oneOf, text, urlFilters, words } from "./url-filters";

interface Stone {
  readonly id: string;
}

interface Filters {
  readonly q: string;
  readonly shown: "all" | "cut";
  readonly colour: "red" | "green" | undefined;
  readonly place: string | undefined;
  readonly rare: boolean;
}

const URL_OF = urlFilters<Filters>({
  q: words,
  shown: {
    none: "all",
    stays: true,
    read: (query, name) => (query.get(name) === "cut" ? "cut" : "all"),
    write: (query, name, value) => {
      if (value === "cut") query.set(name, value);
    },
  },
  colour: oneOf(["red", "green"]),
  place: text,
  rare: flag,
});

class Stones extends PagedList<Stone, Filters> {
  protected override readonly maxPage = 10;

  protected readPage(): Promise<Page<Stone>> {
    return Promise.resolve({ rows: [{ id: "jade" }, { id: "opal" }, { id: "ruby" }], cursor: null });
  }
}

let page: ListPage<Stone, Filters>;

beforeEach(() => {
  router.go("/stones");
  page = new ListPage({ path: "/stones", group: "Stones", items: new Stones(URL_OF.none), url: URL_OF });
});

test.each(["", "q=a+b&colour=red&place=x&rare=1", "shown=cut"])("filters are the same after a round trip through the URL: %j", (query) => {
  expect(URL_OF.write(URL_OF.read(new URLSearchParams(query))).toString()).toBe(query);
});

test("an unknown or blank value filters nothing", () => {
  expect(URL_OF.read(new URLSearchParams("colour=blue&place=&rare=0"))).toEqual(URL_OF.none);
  expect(URL_OF.isFiltered(URL_OF.read(new URLSearchParams("q=+")))).toBe(false);
});

test("clearing the filters keeps what is shown", () => {
  const filters = URL_OF.read(new URLSearchParams("q=a&shown=cut&rare=1"));
  const cleared = { ...filters, ...URL_OF.cleared };
  expect(cleared).toEqual({ ...URL_OF.none, shown: "cut" });
  expect(URL_OF.isFiltered(cleared)).toBe(false);
});

test("a filter goes to the URL; each typed word replaces the former one there", () => {
  page.filter({ colour: "red" });
  const { at } = router;
  page.search("ag");
  page.search("agate");
  expect([router.at, router.query.toString()]).toEqual([at, "q=agate&colour=red"]);
  expect(page.filters).toEqual({ ...URL_OF.none, q: "agate", colour: "red" });
});

test("the list is shown again as it was after the page of a row", () => {
  page.filter({ colour: "green" });
  const { filters } = page;
  page.open("a/b");
  expect([router.path, page.id, page.active]).toEqual(["/stones/a%2Fb", "a/b", "a/b"]);
  expect(page.filters).toBe(filters);
  page.close();
  expect([router.path, router.query.toString(), page.id]).toEqual(["/stones", "colour=green", undefined]);
});

test("other filters start at the top without a current row, except on the way back from a row", async () => {
  await page.items.reload(page.filters);
  page.active = "opal";
  page.filter({ rare: true });
  page.isReturning = true;
  page.load(page.filters);
  expect(page.active).toBe("opal");
  page.isReturning = false;
  page.filter({ rare: false });
  page.load(page.filters);
  expect([page.active, page.items.phase]).toEqual([undefined, "loading"]);
});

test("former results stay while the user types", async () => {
  page.load(page.filters);
  await vi.waitFor(() => {
    expect(page.items.phase).toBe("ready");
  });
  page.search("o");
  page.load(page.filters);
  expect(page.items.phase).toBe("ready");
  await vi.waitFor(() => {
    expect(page.items.loadedParams).toMatchObject({ q: "o" });
  });
});

test("rows are selected one by one, as a range and all", async () => {
  await page.items.reload(page.filters);
  page.toggle();
  expect([page.active, [...page.selection.rows.keys()]]).toEqual(["jade", ["jade"]]);
  page.select("ruby", "range");
  expect(page.selected.map(({ id }) => id)).toEqual(["jade", "opal", "ruby"]);
  page.selectNone();
  page.selectAll();
  expect(page.selection.rows.size).toBe(3);
});

test("the shortcuts of a list apply to its rows", async () => {
  const shortcuts = (): string[] =>
    listShortcuts(page, true)
      .filter(({ when }) => when?.() !== false)
      .map(({ id }) => id);
  expect(shortcuts()).toEqual(["stones.filter"]);
  await page.items.reload(page.filters);
  page.filter({ rare: true });
  expect(shortcuts()).toEqual([
    ...[
      "next",
      "previous",
      "pageDown",
      "pageUp",
      "first",
      "last",
      "select",
      "selectNext",
      "selectPrevious",
      "selectLoaded",
      "filter",
      "unfilter",
    ].map((id) => `stones.${id}`),
  ]);
});
