import { beforeEach, expect, test } from "vitest";

import type { Shortcut } from "../registry.svelte";
import { groupsFor, recent, remember } from "./entries";

function action(label: string, group: string, more: Partial<Shortcut> = {}): Shortcut {
  return { id: label.replaceAll(" ", "-"), keys: [], label, group, run: () => undefined, ...more };
}

const ALL = [
  action("Next", "Memories", { repeats: true }),
  action("Remember", "Memories"),
  action("Pin", "Selected memory"),
  action("Queue", "Go to"),
  action("Theme: dark", "Appearance"),
];

function shown(query = ""): Record<string, string[]> {
  return Object.fromEntries(groupsFor(ALL, query).map(({ name, actions }) => [name, actions.map((one) => one.label)]));
}

beforeEach(() => {
  localStorage.clear();
});

test("what the selected thing takes goes first, moving about last", () => {
  expect(Object.keys(shown())).toEqual(["Selected memory", "Memories", "Go to", "Appearance", "Navigation"]);
});

test("what was chosen lately stands once, before the rest", () => {
  remember("Theme:-dark");
  remember("Queue");
  expect(shown().Recent).toEqual(["Queue", "Theme: dark"]);
  expect(Object.keys(shown())).toEqual(["Selected memory", "Recent", "Memories", "Navigation"]);
});

test("eight are kept, the latest first, none twice", () => {
  for (const id of "abcdefghija") remember(id);
  expect(recent().join("")).toBe("ajihgfed");
});

test("what is typed leaves only what answers, the best first", () => {
  expect(shown("re")).toEqual({ Commands: ["Remember"] });
  expect(shown("nothing like it")).toEqual({});
});

test("among equals, what was chosen lately goes first", () => {
  const two = [action("Theme: light", "Appearance"), action("Theme: black", "Appearance")];
  remember("Theme:-black");
  expect(groupsFor(two, "theme")[0]?.actions.map((one) => one.label)).toEqual(["Theme: black", "Theme: light"]);
});

test("a few projects are listed at first, and all are found by typing", () => {
  const many = Array.from({ length: 9 }, (_, at) => action(`Switch to project p${String(at)}`, "Projects"));
  expect(groupsFor(many, "")[0]?.actions).toHaveLength(5);
  expect(groupsFor(many, "p7")[0]?.actions.map((one) => one.label)).toEqual(["Switch to project p7"]);
});
