import { expect, test, vi } from "vitest";

import { importApi, type ImportRun, type ImportSource } from "$lib/api/imports";

import { ImportDraft } from "./import-draft.svelte";

const source = (id: string, more: Partial<ImportSource> = {}): ImportSource => ({
  id,
  kind: "harness",
  label: id,
  place: "",
  sessions: 10,
  imported: 0,
  bytes: 1,
  since: null,
  until: null,
  projects: [],
  expiring: 0,
  expiresAt: null,
  estimatedS: 60,
  problem: "",
  ...more,
});

const SOURCES = [
  source("claude-code"),
  source("codex", { sessions: 5 }),
  source("old", { sessions: 0 }),
  source("bad", { problem: "No." }),
];

test("all that can be imported is chosen until it is declined", () => {
  const draft = new ImportDraft(() => SOURCES);
  expect(draft.chosen.map(({ id }) => id)).toEqual(["claude-code", "codex"]);
  draft.choose("codex", false);
  expect([draft.isChosen("codex"), draft.sessions, draft.estimated]).toEqual([false, 10, 60]);
});

test("a preview counts only for the sources it was made of, and gives the time", async () => {
  const preview = { sessions: 15, sampled: 15, kept: 2, suggested: 3, samples: [], estimatedS: 42 };
  vi.spyOn(importApi, "preview").mockResolvedValue(preview);
  const draft = new ImportDraft(() => SOURCES);
  await draft.look();
  expect([draft.found, draft.estimated]).toEqual([preview, 42]);
  draft.choose("codex", false);
  expect([draft.found, draft.estimated]).toEqual([undefined, 60]);
});

test("a preview of an export counts only for the project it was made for", async () => {
  const preview = { sessions: 1, sampled: 1, kept: 0, suggested: 3, samples: [], estimatedS: 42 };
  const previews = vi.spyOn(importApi, "preview").mockResolvedValue(preview);
  const draft = new ImportDraft(() => [source("upload-u1", { kind: "upload" })]);
  await draft.look();
  draft.project = "/work/shop";
  expect(draft.found).toBeUndefined();
  await draft.look();
  expect(draft.found).toEqual(preview);
  expect(previews.mock.calls.slice(-2).map(([, project]) => project)).toEqual([null, "/work/shop"]);
});

test("a project is sent along only with an export", async () => {
  const starts = vi.spyOn(importApi, "start").mockResolvedValue({ id: "i1" } as ImportRun);
  const sources = [source("claude-code"), source("upload-u1", { kind: "upload" })];
  const draft = new ImportDraft(() => sources);
  draft.project = "/work/shop";
  draft.keep = "sure";
  expect(await draft.start()).toEqual({ id: "i1" });
  draft.choose("upload-u1", false);
  await draft.start();
  expect(starts.mock.calls).toEqual([
    [["claude-code", "upload-u1"], "sure", "/work/shop"],
    [["claude-code"], "sure", null],
  ]);
});
