import { expect, test } from "vitest";

import { byWords, highlight } from "$lib/memory/highlight";

import { countOf, limited } from "./destination";
import { found, group, setting, settingsReply } from "./finding-samples";
import { foundGroups } from "./found-groups";
import { findSettings } from "./found-settings.svelte";

const PROJECT = "/work/lantern";

test("each kind of thing leads to its page", () => {
  const items = [
    found("memory", "m 1"),
    found("entity", "e1"),
    found("session", "7"),
    found("inbox", "i1", { detail: "Contradiction · rule", state: "open" }),
    found("inbox", "i2", { detail: "Suggestion · kept", state: "decided" }),
    found("project", PROJECT),
    found("commit", "3fa21c0b", { project: PROJECT }),
  ];
  const paths = foundGroups(
    items.map((item) => group(item.kind, [item])),
    "who is priya",
  ).map(({ items: [first] }) => first?.path);
  expect(paths).toEqual([
    "/memories/m%201?q=who+is+priya",
    "/entities/e1",
    "/sessions/7",
    "/inbox?item=i1",
    "/inbox?status=done&item=i2",
    "/projects/detail?project=%2Fwork%2Flantern",
    "/memories?commits=1&q=3fa21c0b&project=%2Fwork%2Flantern",
  ]);
});

test("a group with more ends with what leads to all of it; that of memories always does", () => {
  const groups = foundGroups(
    [
      group("memory", [found("memory", "a")]),
      group("session", [found("session", "1")], true),
      group("commit", [found("commit", "c")], true),
    ],
    "tea",
  );
  expect(groups.map(({ items }) => items.at(-1)?.path)).toEqual(["/memories?q=tea", "/sessions?q=tea", "/memories?commits=1&q=tea"]);
  expect(countOf(groups)).toBe(3);
  expect(foundGroups([group("entity", [found("entity", "e")]), group("inbox", [])], "tea")[0]?.items).toHaveLength(1);
});

test("no more than so many are listed, and what leads to all of a shortened group stays", () => {
  const groups = foundGroups(
    [
      group(
        "memory",
        Array.from({ length: 9 }, (_, at) => found("memory", String(at))),
      ),
    ],
    "tea",
  );
  const [first] = limited([...groups, ...groups], 4);
  expect(first?.items.map(({ label }) => label)).toEqual(["memory 0", "memory 1", "memory 2", "memory 3", "Show all memories"]);
  expect(limited([...groups, ...groups], 4)).toHaveLength(1);
});

test("what the daemon names is marked, and what begins with a typed word", () => {
  const marked = (text: string, words: string[], query: string): string[] =>
    highlight(text, byWords(words, query))
      .filter(({ isHit }) => isHit)
      .map((piece) => piece.text);
  expect(marked("We decided on PostgreSQL 16.", ["PostgreSQL"], "database")).toEqual(["PostgreSQL"]);
  expect(marked("Deploying the deployment", [], "deploy")).toEqual(["Deploying", "deployment"]);
});

test("a type is shown by its icon and read aloud, a project is named", () => {
  const [first] =
    foundGroups([group("memory", [found("memory", "a", { detail: "Decision", project: PROJECT, text: "Why." })])], "x")[0]?.items ?? [];
  expect(first).toMatchObject({ kind: "Decision", detail: "lantern", text: "Why." });
});

const SETTINGS = settingsReply(
  [
    setting("capture.keepAt", "Keep from this certainty", { group: "Capture", words: "less more noise", kind: "number", value: 0.8 }),
    setting("backup.enabled", "Back up the database", { help: "Once a day.", group: "Advanced", words: "backups copies" }),
    setting("search.provider", "Model", { group: "Models", words: "embedding language", kind: "text", value: "included" }),
  ],
  [{ id: "data", group: "Privacy and retention", label: "Where your data is", value: "/home/ann/.agents", help: "Database and backups." }],
);

test("settings are found by label, key, search terms and help", () => {
  const first = (query: string): string | undefined => findSettings(SETTINGS, query).items[0]?.label;
  expect([first("keepAt"), first("keep at"), first("noise"), first("once a day"), first("which model")]).toEqual([
    "Keep from this certainty",
    "Keep from this certainty",
    "Keep from this certainty",
    "Back up the database",
    "Model",
  ]);
  expect(findSettings(SETTINGS, "where your data").items[0]).toMatchObject({ path: "/settings/data", detail: "/home/ann/.agents" });
  expect(findSettings(SETTINGS, "backups").items[0]).toMatchObject({ detail: "On", path: "/settings/backup.enabled" });
  expect(findSettings(undefined, "model").items).toEqual([]);
});

test("many settings end with what leads to all of them", () => {
  const many = settingsReply(Array.from({ length: 9 }, (_, at) => setting(`a.b${String(at)}`, `Quiet hours ${String(at)}`)));
  const { items } = findSettings(many, "quiet");
  expect(items.map(({ path }) => path)).toEqual([
    ...Array.from({ length: 3 }, (_, at) => `/settings/a.b${String(at)}`),
    "/settings?q=quiet",
  ]);
});
