import { expect, test } from "vitest";

import type { MemoryRow } from "$lib/api/client";
import { render } from "$lib/testing";

import MemoryStanding from "./MemoryStanding.svelte";

test.each([
  [{ status: "replaced", superseded_by: "m2", valid_until: "2026-01-30T09:00:00Z" }, "/memories/m2", "Use this one again"],
  [{ status: "disputed" }, "/inbox?kind=contradiction", undefined],
  [{ status: "current", is_unsettled: true }, "/inbox?kind=contradiction", undefined],
  [{ status: "current", is_unsettled: false }, undefined, undefined],
])("a memory's page says whether it holds", (row, link, button) => {
  const page = render(MemoryStanding, { row: { id: "m1", ...row } as MemoryRow });
  expect(page.querySelector("a")?.getAttribute("href")).toBe(link);
  expect(page.querySelector("button")?.textContent.trim()).toBe(button);
});

test.each([
  [{ superseded_by: "m2", valid_until: "2026-01-30T09:00:00Z" }, /^Replaced on \S.*\S by a newer memory\. Agents aren't told it\.$/],
  [{ superseded_by: "m2", valid_until: null }, /^Replaced by a newer memory\. Agents aren't told it\.$/],
  [{ superseded_by: null, valid_until: "2026-01-30T09:00:00Z" }, /^Outdated since \S.*\S\. Agents aren't told it\.$/],
  [{ superseded_by: null, valid_until: null }, /^Outdated\. Agents aren't told it\.$/],
])("words of a memory that doesn't hold are apart: %o", (row, sentence) => {
  const page = render(MemoryStanding, { row: { id: "m1", status: "replaced", ...row } as MemoryRow });
  expect(page.querySelector("span")?.textContent.trim().replaceAll(/\s+/gu, " ")).toMatch(sentence);
});
