import { expect, it } from "vitest";

import type { SyncTarget } from "$lib/api/workspace";

import { isWritten, summaryText, targetText } from "./target-text";

const target = (state: SyncTarget["state"]): SyncTarget => ({
  id: state,
  label: state,
  path: "/home/kim/.my/AGENTS.md",
  state,
  synced: null,
  reason: "",
  hint: "",
  item: null,
});

it.each([
  [[], "Nothing is written to your agents' files yet."],
  [["off", "disconnected"], "Nothing is written to your agents' files yet."],
  [["synced"], "1 file is up to date."],
  [["synced", "synced", "off"], "2 files are up to date."],
  [["synced", "waiting"], "1 of 2 files are up to date."],
  [["synced", "conflict", "refused"], "1 of 3 files are up to date, 1 needs your decision, 1 can't be written."],
] satisfies [SyncTarget["state"][], string][])("%o: %s", (states, text) => {
  expect(summaryText({ enabled: true, targets: states.map(target) })).toBe(text);
});

it("says so if nothing is written at all", () => {
  expect(summaryText({ enabled: false, targets: [target("synced")] })).toBe("Sync is off.");
});

it("warns of what needs the user", () => {
  const states: SyncTarget["state"][] = ["synced", "waiting", "conflict", "refused", "off", "disconnected"];
  expect(states.filter((state) => targetText({ state }).tone === "warn")).toEqual(["conflict", "refused"]);
  expect(states.filter((state) => !isWritten({ state }))).toEqual(["off", "disconnected"]);
});
