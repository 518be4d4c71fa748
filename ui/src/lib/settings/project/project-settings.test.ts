import { afterEach, expect, test, vi } from "vitest";

import { api, type ProjectSettingRow, type ProjectSettings } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

import { ProjectSettingsEdits, shownValue } from "./project-settings.svelte";

const COMMITS: ProjectSettingRow = {
  key: "project.commits",
  label: "Read commits",
  help: "",
  kind: "switch",
  unit: "",
  value: true,
  general: true,
  generalKey: "commits.enabled",
  isSet: false,
  low: null,
  high: null,
  choices: [],
  consequence: { kind: "deletes", text: "They are deleted.", values: [false], change: "any" },
};

function reply(row: Partial<ProjectSettingRow> = {}): ProjectSettings {
  return { project: "/srv/shop", settings: [{ ...COMMITS, ...row }] };
}

afterEach(() => {
  vi.restoreAllMocks();
  for (const { id } of toasts.all) toasts.dismiss(id);
});

async function loaded(): Promise<ProjectSettingsEdits> {
  vi.spyOn(api, "projectSettings").mockResolvedValue(reply());
  const edits = new ProjectSettingsEdits("/srv/shop");
  await edits.load();
  return edits;
}

test("a change that deletes is asked about, then made and undone", async () => {
  const edits = await loaded();
  const undo = [{ key: COMMITS.key, value: null }];
  const change = vi
    .spyOn(api, "changeProjectSettings")
    .mockRejectedValueOnce(new ApiError(409, { code: "confirmation_needed", title: "Confirm", detail: "d" }))
    .mockResolvedValueOnce({ settings: reply({ value: false, isSet: true }), undo })
    .mockResolvedValueOnce({ settings: reply(), undo: [] });
  await edits.change(COMMITS, false);
  expect(edits.confirmation?.text).toBe("They are deleted.");
  expect(edits.shown(COMMITS)).toBe(true);
  edits.answer(true);
  await vi.waitFor(() => {
    expect(edits.row(COMMITS.key)?.value).toBe(false);
  });
  expect(change.mock.lastCall).toEqual(["/srv/shop", [{ key: COMMITS.key, value: false }], true]);
  expect(toasts.all.at(-1)?.text).toBe("Read commits: Off in this project.");
  toasts.all.at(-1)?.action?.run();
  await vi.waitFor(() => {
    expect(edits.row(COMMITS.key)?.isSet).toBe(false);
  });
  expect(change.mock.lastCall).toEqual(["/srv/shop", undo, true]);
});

test("a value that is refused is shown as it was, with the reason", async () => {
  const edits = await loaded();
  vi.spyOn(api, "changeProjectSettings").mockRejectedValue(new ApiError(503, { code: "unavailable", title: "t", detail: "Frozen." }));
  await edits.change(COMMITS, false);
  expect(edits.shown(COMMITS)).toBe(true);
  expect(toasts.all.at(-1)?.text).toContain("Frozen.");
});

test("values are shown in words", () => {
  expect(shownValue({ choices: [] }, false)).toBe("Off");
  expect(shownValue({ choices: [{ value: "nothing", label: "Nothing" }] }, "nothing")).toBe("Nothing");
});
