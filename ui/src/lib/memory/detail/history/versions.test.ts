import { afterEach, expect, test, vi } from "vitest";

import { api, type HistoryEvent, type MemoryRow, type MutationReply } from "$lib/api/client";
import { problemOf } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

import { restoreVersion, versionsOf } from "./versions";

const ROW = {
  id: "a",
  content: "third",
  type: "rule",
  tags: "x,y",
  importance: 0.5,
  pinned: 0,
  project: "/ring",
  visibility: "global",
  version: 6,
} as MemoryRow;

function event(id: string, what: string, more: Partial<HistoryEvent> = {}): HistoryEvent {
  return { id, event: what, oldContent: null, newContent: null, metadata: null, ...more } as HistoryEvent;
}

const CREATED = event("1", "created", { newContent: "first" });
const EVENTS = [
  CREATED,
  event("2", "updated", { oldContent: "first", newContent: "second", metadata: { tags: [["x"], ["x", "y"]], who: ["ann", "bob"] } }),
  event("3", "updated", { metadata: { project: [null, "/ring"], type: ["fact", "rule"] } }),
  event("4", "deleted", { oldContent: "second" }),
  event("5", "recovered", { newContent: "second" }),
  event("6", "updated", { oldContent: "second", newContent: "third" }),
];

afterEach(() => {
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

test("each version is told backwards from what the memory says now", () => {
  const versions = versionsOf(ROW, EVENTS);
  expect(versions.get("6")?.after).toBeUndefined();
  expect(versions.get("5")?.after).toMatchObject({ fields: { content: "second", project: "/ring" }, differs: ["text"] });
  expect(versions.get("4")?.after).toBeUndefined();
  expect(versions.get("2")?.after).toMatchObject({ fields: { content: "second", type: "fact", tags: ["x", "y"], project: null } });
  expect(versions.get("1")).toEqual({
    after: {
      fields: { content: "first", type: "fact", tags: ["x"], importance: 0.5, pinned: false, project: null, visibility: "global" },
      differs: ["text", "type", "tags", "project"],
    },
    before: undefined,
  });
});

test("a version that says what the memory says now is none to restore", () => {
  const row = { ...ROW, content: "first" };
  const there = event("2", "updated", { oldContent: "first", newContent: "second" });
  const back = event("3", "updated", { oldContent: "second", newContent: "first" });
  const versions = versionsOf(row, [CREATED, there, back]);
  expect([...versions].filter(([, one]) => one.after !== undefined).map(([id]) => id)).toEqual(["2"]);
});

test("where the history begins with a change, what it replaced can be restored too", () => {
  const versions = versionsOf(ROW, EVENTS.slice(1));
  expect(versions.get("2")?.before).toMatchObject({ fields: { content: "first", tags: ["x"] } });
});

test("restoring changes what differs as a new version, and undo gives it back", async () => {
  const modify = vi
    .spyOn(api, "modify")
    .mockImplementation((_, { if_version: seen }) =>
      Promise.resolve({ id: "a", currentVersion: seen, newVersion: Number(seen) + 1 } as MutationReply),
    );
  const first = versionsOf(ROW, EVENTS).get("1")?.after;
  if (first === undefined) throw new Error("no first version");
  await restoreVersion(ROW, first);
  expect(modify).toHaveBeenLastCalledWith("a", {
    reason: "restored an earlier version in the dashboard",
    content: "first",
    type: "fact",
    tags: ["x"],
    project: null,
    if_version: 6,
  });
  expect(toasts.undoable).toMatchObject({ text: "Earlier version restored.", hint: "Changed: text, type, tags, project." });
  toasts.undo();
  await vi.waitFor(() => {
    expect(modify).toHaveBeenLastCalledWith("a", {
      reason: "undone in the dashboard",
      content: "third",
      type: "rule",
      tags: ["x", "y"],
      project: "/ring",
      if_version: 7,
    });
  });
});

test("a version is not restored over what somebody changed meanwhile", async () => {
  vi.spyOn(api, "modify").mockRejectedValue(problemOf(409, { detail: "The memory has changed.", status: "version_conflict" }));
  const first = versionsOf(ROW, EVENTS).get("1")?.after;
  if (first === undefined) throw new Error("no first version");
  await restoreVersion(ROW, first);
  expect(toasts.undoable).toBeUndefined();
  expect(toasts.all[0]?.text).toBe("Couldn't restore this version: The memory has changed.");
});
