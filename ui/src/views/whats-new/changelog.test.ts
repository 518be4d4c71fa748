import { expect, test, vi } from "vitest";

import { updateCalls, type Changelog, type ReleaseRow } from "$lib/api/updates";

import { ChangelogResource } from "./changelog.svelte";

const release = (version: string, isNew: boolean): ReleaseRow => ({ version, date: "", isNew, groups: [] });
const found = (isNew: boolean): Changelog => ({ currentVersion: "0.2.0", releases: [release("0.2.0", isNew), release("0.1.0", false)] });

test("what was new when it was opened stays marked when it is read again", async () => {
  vi.spyOn(updateCalls, "changelog").mockResolvedValueOnce(found(true)).mockResolvedValueOnce(found(false));
  const markSeen = vi.spyOn(updateCalls, "markSeen").mockResolvedValue({});
  const changelog = new ChangelogResource();
  await changelog.load();
  await changelog.load();
  expect(changelog.value?.releases.map(({ isNew }) => isNew)).toEqual([true, false]);
  expect(markSeen).toHaveBeenCalledOnce();
});
