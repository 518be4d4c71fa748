import { flushSync } from "svelte";
import { afterEach, expect, it, vi } from "vitest";

import { sourceApi, type SourceRemoval, type SourceRow } from "$lib/api/sources";
import { render } from "$lib/testing";

import { sourcePath } from "./source-kinds";
import SourcesView from "./SourcesView.svelte";

const FILE: SourceRow = { kind: "file", id: "/home/kim/.agents/memory/notes.md", label: "notes.md", memories: 12 };
const REMOVAL: SourceRemoval = {
  id: "r1",
  source: { kind: "agent", id: "onyx" },
  label: "onyx",
  at: "2026-03-04T12:00:00Z",
  forgotten: 3,
  kept: 1,
  dropped: 0,
  running: false,
  undone: null,
};

async function shown(sources: readonly SourceRow[], removals: readonly SourceRemoval[]): Promise<HTMLElement> {
  vi.spyOn(sourceApi, "sources").mockResolvedValue(sources);
  vi.spyOn(sourceApi, "takenBack").mockResolvedValue(removals);
  const page = render(SourcesView, { title: "Memories", help: undefined });
  await vi.waitFor(() => {
    flushSync();
    expect(page.querySelector("[aria-busy=true]")).toBeNull();
  });
  return page;
}

afterEach(() => {
  vi.restoreAllMocks();
});

it("lists each source with its memories, and what was taken back with its undo", async () => {
  const page = await shown([FILE], [REMOVAL]);
  const rows = [...page.querySelectorAll("tbody tr")].map((row) => row.textContent.replaceAll(/\s+/gu, " ").trim());
  expect(rows[0]).toMatch(/^notes\.md .*File12Take back/u);
  expect(rows[1]).toContain("Forgot 3 memories. 1 memory stays.");
  const undo = vi.spyOn(sourceApi, "undoTakeBack").mockResolvedValue({ ...REMOVAL, undone: "2026-03-04T12:05:00Z" });
  page.querySelector<HTMLButtonElement>("[aria-label='Undo taking back onyx']")?.click();
  await vi.waitFor(() => {
    expect(undo).toHaveBeenCalledWith("r1");
  });
});

it("says what will be listed before there is any source", async () => {
  expect((await shown([], [])).textContent).toContain("No sources yet");
});

it("leads to an import, or to the memories of a source by which the list can be filtered", () => {
  expect(sourcePath(FILE)).toBe("/memories?file=%2Fhome%2Fkim%2F.agents%2Fmemory%2Fnotes.md");
  expect(sourcePath({ kind: "import", id: "i1" })).toBe("/import/i1");
  expect(sourcePath({ kind: "tool", id: "cli" })).toBeUndefined();
});
