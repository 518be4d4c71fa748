import { describe, expect, it } from "vitest";

import { addressOf, searchSections } from "./search";
import type { Section } from "./model";

const TITLES = new Map([
  ["storage", "Storage"],
  ["desk", "The desk"],
]);
const SECTIONS: Section[] = [
  { slug: "storage", id: "", heading: "Storage", text: "One SQLite file. A backup each day." },
  { slug: "storage", id: "backups", heading: "Backups", text: "Copies are checked. The newest good one is restored." },
  { slug: "desk", id: "", heading: "The desk", text: "A tray, windows and (c++) things. ".repeat(20) + "Then backups." },
];
const found = (query: string): string[] => searchSections(query, SECTIONS, TITLES).map(({ section }) => addressOf(section));

describe("search of the documentation", () => {
  it("puts a heading before a text", () => {
    expect(found("backup")).toEqual(["/help/storage#backups", "/help/storage", "/help/desk"]);
  });

  it("wants every word, somewhere in the section", () => {
    expect(found("backup restored")).toEqual(["/help/storage#backups"]);
    expect(found("backup zebra")).toEqual([]);
  });

  it("counts the page's title", () => {
    expect(found("storage copies")).toEqual(["/help/storage#backups"]);
  });

  it("finds beginnings of words only", () => {
    expect(found("ackup")).toEqual([]);
  });

  it("takes signs as they are", () => {
    expect(found("(c")).toEqual(expect.arrayContaining(["/help/desk"]));
    expect(found("[")).toEqual([]);
  });

  it("shows the words around the first hit", () => {
    const [hit] = searchSections("then", SECTIONS, TITLES);
    expect(hit?.excerpt).toMatch(/^… .*Then backups\.$/);
  });
});
