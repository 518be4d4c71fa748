import { expect, test } from "vitest";

import { FIRST, helpPathOf, movedTo, PARTS, SECTIONS, viewAt, VIEWS } from "./routes";

const DOCS = Object.keys(import.meta.glob("../../assets/docs/help/*.md")).map((path) => path.replace(/^.*\/|\.md$/g, ""));

test("paths, titles and keys are each of one view", () => {
  for (const what of ["path", "title", "key"] as const) {
    const all: string[] = VIEWS.map((view) => view[what]);
    if (what !== "path") all.push(...PARTS.flatMap((part) => part[what] ?? []));
    expect(all).toEqual([...new Set(all)]);
  }
});

test("the sections stand together, in their order", () => {
  const order = VIEWS.map((view) => SECTIONS.indexOf(view.section));
  expect(order).toEqual([...order].sort((one, other) => one - other));
});

test.each(VIEWS.filter((view) => view.path !== "/help"))("$title has its page of Help", (view) => {
  expect(DOCS).toContain(view.help.split("#")[0]);
  expect(helpPathOf(view)).toBe(`/help/${view.help}`);
});

test("a path leads to its view, with all below it, and the bare address to the first", () => {
  expect(viewAt("/")).toBe(FIRST);
  expect(viewAt("/memories/abc")?.path).toBe("/memories");
  expect(viewAt("/memoriesabc")).toBeUndefined();
  expect(helpPathOf(viewAt("/help/agents"))).toBeUndefined();
  expect(helpPathOf(viewAt("/gallery"))).toBeUndefined();
});

test("addresses from before lead to where their content is now", () => {
  expect([movedTo("/forgotten", ""), movedTo("/queue", ""), movedTo("/status", "#connect")]).toEqual([
    "/memories?forgotten=1",
    "/status#queue",
    "/connections",
  ]);
  expect(movedTo("/status", "#queue")).toBeUndefined();
});
