import { expect, test } from "vitest";

import { highlight } from "$lib/memory/highlight";

import { entriesOf } from "./entries";
import { matcherOf, search } from "./settings-search";
import { settingRow, settingsReply } from "./testing";

const entries = entriesOf(
  settingsReply([
    settingRow({
      key: "capture.keepAt",
      label: "How sure capture must be to save",
      help: "Raise it to keep less.",
      words: "keep less threshold",
    }),
    settingRow({ key: "capture.reminders", label: "Remind agents to save", help: "An agent is reminded.", words: "tell less" }),
    settingRow({ key: "hooks.promptLimit", label: "Limit per prompt", help: "", words: "tell agents less", group: "What agents are told" }),
    settingRow({ key: "embedding.model", label: "Model", help: "Its name at the server.", words: "", group: "Advanced" }),
    settingRow({ key: "retention.keepDays", label: "Keep history for", help: "Longer keeps more data.", words: "", group: "Advanced" }),
  ]),
);
const facts = [{ id: "data", group: "Advanced", label: "Where your data is", value: "/home/ada/.agents", help: "" }];
const found = (query: string) => search(query, entries, facts).map(({ entry, fact }) => entry?.key ?? fact?.id);

test("what is asked in one's own words comes first", () => {
  expect(found("keep less")[0]).toBe("capture.keepAt");
  expect(found("tell agents less")[0]).toBe("hooks.promptLimit");
  expect(found("where is my data")[0]).toBe("data");
  expect(found("which model?")[0]).toBe("embedding.model");
});

test("keys, parts of keys and beginnings of words find a setting", () => {
  expect(found("capture.keepAt")[0]).toBe("capture.keepAt");
  expect(found("keepat")).toEqual(["capture.keepAt"]);
  expect(found("thresh")).toEqual(["capture.keepAt"]);
});

test("settings with fewer of the words than others are left out; nothing is found by no word", () => {
  expect(found("keep history")).toEqual(["retention.keepDays"]);
  expect(found("zebra")).toEqual([]);
  expect(found("  ")).toEqual([]);
});

test("what was found is marked", () => {
  const marked = highlight("Reminders remind agents", matcherOf("reminder agent")).filter(({ isHit }) => isHit);
  expect(marked.map(({ text }) => text)).toEqual(["Reminders", "remind", "agents"]);
});
