import { flushSync } from "svelte";
import { expect, test } from "vitest";

import type { MemoryRow } from "$lib/api/client";
import { render } from "$lib/testing";

import ForgottenItem from "./ForgottenItem.svelte";

test("the box of a row that stays selected stays ticked when it is clicked", async () => {
  const row = {
    id: "a",
    content: "Jet",
    type: "fact",
    project: null,
    updated_by: "me",
    updated_at: "2026-11-21T12:00:00Z",
    deleted_at: null,
  } as MemoryRow;
  const nothing = (): void => undefined;
  const page = render(ForgottenItem, { row, days: undefined, isSelected: true, onselect: nothing, onrecover: nothing, onerase: nothing });
  const box = page.querySelector("input");
  box?.click();
  await new Promise((resolve) => setTimeout(resolve));
  flushSync();
  expect(box?.checked).toBe(true);
});
