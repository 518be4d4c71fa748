import { expect, it, vi } from "vitest";

import { workspaceApi } from "$lib/api/workspace";

import { FileDraft } from "./file-draft.svelte";

/** A file on disk; null if it is missing. */
function fileWith(text: string | null): { text: string | null } {
  const file = { text };
  vi.spyOn(workspaceApi, "fileText").mockImplementation(() => Promise.resolve(file.text));
  vi.spyOn(workspaceApi, "writeFile").mockImplementation((_, content) => {
    file.text = content;
    return Promise.resolve();
  });
  return file;
}

async function opened(): Promise<FileDraft> {
  const draft = new FileDraft("AGENTS.md");
  await draft.load();
  return draft;
}

it("creates a file that is missing", async () => {
  const file = fileWith(null);
  const draft = await opened();
  expect([draft.isNew, draft.isDirty]).toEqual([true, false]);
  draft.text = "- Use pnpm.\n";
  expect(await draft.save()).toBe("saved");
  expect([file.text, draft.isNew, draft.isDirty]).toEqual(["- Use pnpm.\n", false, false]);
});

it("keeps the file's own line ends", async () => {
  const file = fileWith("one\r\ntwo\r\n");
  const draft = await opened();
  expect([draft.text, draft.isDirty]).toEqual(["one\ntwo\n", false]);
  draft.text += "three\n";
  await draft.save();
  expect(file.text).toBe("one\r\ntwo\r\nthree\r\n");
});

it("shows the file as it is now, as long as nothing was typed", async () => {
  const file = fileWith("one");
  const draft = await opened();
  file.text = "two";
  await draft.load();
  expect([draft.text, draft.theirs]).toEqual(["two", undefined]);
});

it("never overwrites a change of the file that the user hasn't seen", async () => {
  const file = fileWith("one");
  const draft = await opened();
  draft.text = "mine";
  file.text = "theirs";
  expect(await draft.save()).toBe("changed");
  expect([file.text, draft.theirs?.text]).toEqual(["theirs", "theirs"]);
  draft.keepMine();
  expect(await draft.save()).toBe("saved");
  expect(file.text).toBe("mine");
});

it("shows a change of the file while something is typed, and takes it if the user says so", async () => {
  const file = fileWith("one");
  const draft = await opened();
  draft.text = "mine";
  file.text = "theirs";
  await draft.load();
  expect([draft.text, draft.theirs?.text]).toEqual(["mine", "theirs"]);
  draft.takeTheirs();
  expect([draft.text, draft.isDirty, draft.theirs]).toEqual(["theirs", false, undefined]);
});
