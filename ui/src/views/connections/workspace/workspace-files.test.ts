import { expect, it } from "vitest";

import type { WorkspaceFile } from "$lib/api/workspace";

import { fileGroups, isEditable, purposeOf } from "./workspace-files";

const file = (name: string): WorkspaceFile => ({ name, exists: true, size: 1, changed: null, read: 0 });

it("groups files by what they are for, in the daemon's order, without the settings", () => {
  const names = ["agent.yaml", "AGENTS.md", "USER.md", "memory/2026-03-04.md", "agents/reviewer/SOUL.md"];
  const groups = fileGroups(names.map(file));
  expect(groups.map(({ title, files }) => [title, files.map(({ name }) => name)])).toEqual([
    ["Instructions", ["AGENTS.md", "USER.md"]],
    ["Notes", ["memory/2026-03-04.md"]],
    ["Files of single agents", ["agents/reviewer/SOUL.md"]],
  ]);
});

it("lists the notes before there are any, and agents only if they have files", () => {
  expect(fileGroups([]).map(({ title }) => title)).toEqual(["Instructions", "Notes"]);
});

it("says what each file of the workspace is for, and edits only those directly in it", () => {
  expect(["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md"].every((name) => purposeOf(name) !== "")).toBe(true);
  expect([isEditable("USER.md"), isEditable("memory/a.md")]).toEqual([true, false]);
});
