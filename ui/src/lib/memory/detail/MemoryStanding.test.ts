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
