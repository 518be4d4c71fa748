import { beforeEach, expect, test } from "vitest";

import type { Shortcut } from "../registry.svelte";
import { commandsFor, recent, remember } from "./entries";

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

function labels(commands: readonly Shortcut[], query: string): Record<string, string[]> {
  return Object.fromEntries(commandsFor(commands, query).groups.map(({ name, commands: some }) => [name, some.map((one) => one.label)]));
}

function shown(query = ""): Record<string, string[]> {
  return labels(ALL, query);
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
  expect(labels(two, "theme")).toEqual({ Commands: ["Theme: black", "Theme: light"] });
});

test("a few projects are listed at first, and all are found by typing", () => {
  const many = Array.from({ length: 9 }, (_, at) => action(`Switch to project p${String(at)}`, "Projects"));
  expect(labels(many, "").Projects).toHaveLength(5);
  expect(labels(many, "p7")).toEqual({ Commands: ["Switch to project p7"] });
});

test("what is used most goes first on a page, and one of many ways to sort last", () => {
  const commands = [
    ...["Newest", "Used", "Importance"].map((way) => action(`Sort: ${way}`, "Sort and group", { weight: -1 })),
    action("Save filter…", "Memories"),
    action("First", "Memories", { weight: -1 }),
    action("Remember…", "Memories", { weight: 1 }),
    action("Forget", "Selected memories", { weight: 1 }),
    action("Status", "Go to"),
  ];
  expect(labels(commands, "")).toEqual({
    "Selected memories": ["Forget"],
    Memories: ["Remember…", "Save filter…"],
    "Go to": ["Status"],
    "Sort and group": ["Sort: Newest", "Sort: Used", "Sort: Importance"],
    Navigation: ["First"],
  });
  expect(labels(commands, "sort").Commands?.every((label) => label.startsWith("Sort: "))).toBe(true);
});

test("where something is meant, what only has the letters isn't listed", () => {
  const commands = [action("Sessions", "Go to"), action("Copy bug report as posted on old nights", "Status")];
  expect(labels(commands, "session")).toEqual({ Commands: ["Sessions"] });
});
