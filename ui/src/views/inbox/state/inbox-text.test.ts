import { expect, test } from "vitest";

import type { InboxCounts } from "$lib/api/client";

import { PROPOSED_CHANGE, wantedTexts } from "../kinds/proposed-change";
import { DECLARED } from "../kinds/declared";
import { KINDS, kindOf, plain } from "../kinds/registry";
import { confidenceText } from "../kinds/suggestion";

import { bySpeaker, canUndo, countText, dateOf, decisionText, openCount, outcomeText, shortOutcome } from "./inbox-text";
import { INBOX_URL } from "./inbox-filters";

const { isFiltered, read: readFilters, write: writeFilters } = INBOX_URL;

test.each([
  ["suggestion", "keep", "Kept “Use pnpm.”."],
  ["suggestion", "drop", "Dropped “Use pnpm.”."],
  ["contradiction", "keep_both", "Kept both memories."],
  ["contradiction", "newer_wins", "The newer memory replaces the older one."],
  ["contradiction", "drop", "Kept the older memory and forgot the newer one."],
  ["proposed_change", "apply", "Applied the change to “Use pnpm.”."],
  ["proposed_change", "reject", "Left “Use pnpm.” as it is."],
  ["agent_changes", "undo_changes", "Undid the agent's changes."],
] as const)("a %s that is decided by %s says what happened", (kind, action, text) => {
  expect(decisionText({ kind, content: "Use pnpm." }, action)).toBe(text);
});

test("why a model asks stands apart from what was said", () => {
  const said = {
    sentence: "x",
    harness: "claude-code",
    session_id: null,
    session: null,
    message_id: null,
    said_at: null,
    start: 0,
    end: 1,
    by: "agent",
  } as const;
  const groups = bySpeaker([{ ...said, by: "user" }, said, { ...said, harness: "model" }, { ...said, harness: "file" }]);
  expect(groups.map(({ heading, evidence }) => [heading, evidence.length])).toEqual([
    ["Why the model asks", 1],
    ["In the file", 1],
    ["The agent's words", 1],
    ["You said", 1],
  ]);
});

test("a suggestion has the date on which it was last said, until it is decided", () => {
  const said = (said_at: string | null) => ({
    sentence: "x",
    harness: "codex",
    session_id: null,
    session: null,
    message_id: null,
    said_at,
    start: 0,
    end: 1,
    by: "user" as const,
  });
  const evidence = [said("2026-03-02T10:00:00Z"), said("2026-01-02T10:00:00Z"), said(null)];
  const item = { kind: "suggestion", created: "2026-11-27T10:00:00Z", decided: null, evidence } as const;
  expect(dateOf(item)).toBe("2026-03-02T10:00:00Z");
  expect(dateOf({ ...item, evidence: [said(null)] })).toBe(item.created);
  expect(dateOf({ ...item, kind: "contradiction" })).toBe(item.created);
  expect(dateOf({ ...item, decided: "2026-11-28T10:00:00Z" })).toBe("2026-11-28T10:00:00Z");
});

test("a done item says what became of it, and only the user's own decisions can be undone", () => {
  const done = (kind: "suggestion" | "contradiction", action: Parameters<typeof canUndo>[0]["action"]): unknown[] => [
    shortOutcome({ kind, action }),
    outcomeText({ kind, action }),
    canUndo({ status: "done", action }),
  ];
  expect(done("suggestion", "drop")).toEqual(["Dropped", "Dropped", true]);
  expect(done("contradiction", "drop")).toEqual(["Kept older", "Kept the older memory", true]);
  expect(done("suggestion", "said_again")).toEqual(["Kept", "Kept because you said it again", false]);
  expect(done("suggestion", "obsolete")).toEqual(["Closed", "Closed because it no longer applies", false]);
  expect(done("suggestion", "expired")).toEqual(["Expired", "Expired", false]);
  expect(canUndo({ status: "open", action: null })).toBe(false);
});

test("what an agent proposes is in words", () => {
  const nothing = { forget: false, content: null, type: null, importance: null, tags: null };
  expect(wantedTexts({ ...nothing, forget: true })).toEqual(["Forget the memory"]);
  expect(wantedTexts({ ...nothing, type: "rule", importance: 0.2, tags: [] })).toEqual(["Type: Rule", "Importance: 0.2", "Tags: none"]);
  const heading = (forget: boolean): string => PROPOSED_CHANGE.heading?.({ type: "fact", change: { ...nothing, forget } }) ?? "";
  expect([heading(true), heading(false)]).toEqual(["An agent wants to forget this", "An agent wants to change this"]);
});

test("confidence and counts are in words", () => {
  expect(
    [
      [0.78, 0.82],
      [0.58, 0.825],
      [0.8199, 0.82],
      [0.9, 0.82],
    ].map(([confidence = 0, keep_at = 0]) => confidenceText({ confidence, keep_at })),
  ).toEqual([
    "78% sure. Saved without asking from 82%.",
    "58% sure. Saved without asking from 82.5%.",
    "81% sure. Saved without asking from 82%.",
    "90% sure, but it may not make sense on its own.",
  ]);
  expect([countText(1, true, "done"), countText(1_200, false, "open")]).toEqual(["1 done", "1,200+ open"]);
});

test("the filters survive the URL, and what it doesn't know counts as none", () => {
  const none = { kind: undefined, project: undefined, import: undefined, session: undefined };
  const filters = { q: "pnpm", status: "done", kind: "contradiction", project: "/work/shop", import: "i1", session: "7" } as const;
  expect(readFilters(writeFilters(filters))).toEqual(filters);
  expect(writeFilters({ q: "", status: "open", ...none }).toString()).toBe("");
  const unknown = readFilters(new URLSearchParams("status=closed&kind=x&project="));
  expect(unknown).toEqual({ q: "", status: "open", ...none });
  expect([isFiltered(unknown), isFiltered(filters)]).toEqual([false, true]);
});

test("every kind that a package declares is known, and takes exactly the actions it declares", () => {
  for (const { kind, plural, actions } of DECLARED) {
    const { choices, outcomes, plural: shown } = kindOf({ kind });
    const names = actions.map(({ action }) => action).sort();
    expect([shown, [...new Set(choices.map(({ action }) => action))].sort(), Object.keys(outcomes).sort()]).toEqual([plural, names, names]);
  }
  expect(new Set(KINDS.map(({ kind }) => kind)).size).toBe(KINDS.length);
});

test("a kind without an entry of its own has its declared label and actions", () => {
  const kind = plain({
    kind: "possible_merge",
    label: "Question",
    plural: "Questions",
    actions: [{ action: "merge", label: "Yes", report: "Confirmed" }],
  });
  expect([kind.choices.map(({ id, label }) => [id, label]), kind.outcomes.merge?.said("Is it so?"), kind.detail]).toEqual([
    [["possible_merge.merge", "Yes"]],
    "Confirmed: “Is it so?”",
    undefined,
  ]);
});

test("all open items are counted where a filter is by kind alone, not only the loaded ones", () => {
  const counts = { open: 114, contradiction: 111, suggestion: 3 } as InboxCounts;
  const { none } = INBOX_URL;
  expect(openCount(none, counts)).toBe(114);
  expect(openCount({ ...none, kind: "contradiction" }, counts)).toBe(111);
  for (const more of [{ project: "/work/shop" }, { q: "pnpm" }, { status: "done" as const }, { session: "1" }, { import: "i" }])
    expect(openCount({ ...none, ...more }, counts)).toBeUndefined();
  expect(openCount(none)).toBeUndefined();
  expect(countText(100, false, "open", 114)).toBe("114 open");
  expect(countText(100, false, "open")).toBe("100+ open");
  expect(countText(14, true, "open", 20)).toBe("14 open");
});
