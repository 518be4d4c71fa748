import { describe, expect, it } from "vitest";

import { groupsOf, outlineOf, step } from "./contents";
import { safeOutward } from "./links";
import type { Entry } from "$lib/help/model";

const entry = (slug: string, group: string): Entry => ({ slug, group, title: slug, about: "" });
const PAGES = [entry("a", "one"), entry("b", "one"), entry("c", "two")];

describe("the table of contents", () => {
  it("keeps groups and pages in their order", () => {
    expect(groupsOf(PAGES).map(({ name, pages }) => [name, pages.map(({ slug }) => slug)])).toEqual([
      ["one", ["a", "b"]],
      ["two", ["c"]],
    ]);
  });

  it("leads from page to page over the groups, and not beyond the ends", () => {
    expect(step(PAGES, "b", 1)?.slug).toBe("c");
    expect(step(PAGES, "c", 1)).toBeUndefined();
    expect(step(PAGES, "a", -1)).toBeUndefined();
    expect(step(PAGES, "", 1)?.slug).toBe("a");
    expect(step(PAGES, "", -1)).toBeUndefined();
  });
});

it("outlines a page by its second and third level", () => {
  const heading = (level: number, id: string) => ({ is: "heading" as const, level, id, of: [id] });
  const outline = outlineOf({ blocks: [heading(2, "x"), heading(3, "y"), heading(4, "z")] });
  expect(outline).toEqual([
    { id: "x", text: "x", level: 2 },
    { id: "y", text: "y", level: 3 },
  ]);
});

describe("links", () => {
  it("lead outward to the web and to mail alone", () => {
    expect(["https://a.b", "http://a.b", "mailto:a@b", "javascript:x", "data:x", "/x"].map(safeOutward)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
