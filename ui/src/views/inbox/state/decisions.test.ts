import { expect, test, vi } from "vitest";

import { api, type InboxRow } from "$lib/api/client";
import { toasts } from "$lib/state/toasts.svelte";

import { Decisions } from "./decisions";
import type { InboxPage } from "./inbox-page.svelte";

test("only the last decision is told, so that no more of the list is covered", async () => {
  const row = (id: string): InboxRow => ({ id, kind: "suggestion", status: "open", content: `Use ${id}.` }) as InboxRow;
  vi.spyOn(api, "decide").mockImplementation((id) => Promise.resolve(row(id)));
  const nothing = (): void => undefined;
  const page = { current: row("jade"), draft: undefined, items: { remove: nothing, confirm: nothing }, moveOn: nothing };
  const decisions = new Decisions(page as unknown as InboxPage);
  toasts.add("Saved.");
  for (const id of ["jade", "opal", "onyx"]) {
    page.current = row(id);
    await decisions.decide("keep");
  }
  expect(toasts.all.map(({ text }) => text)).toEqual(["Saved.", "Kept “Use onyx.”."]);
  for (const { id } of toasts.all) toasts.dismiss(id);
});
