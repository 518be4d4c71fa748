import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";

import { api } from "$lib/api/client";
import { render } from "$lib/testing";

import SessionBypass from "./SessionBypass.svelte";

function box(page: HTMLElement): HTMLInputElement {
  const found = page.querySelector("input");
  if (found === null) throw new Error("there is no box");
  return found;
}

test("switching a session off asks for it once, and the page is read again", async () => {
  const bypass = vi.spyOn(api, "bypassSession").mockResolvedValue();
  const onchange = vi.fn();
  const page = render(SessionBypass, { session: { id: "7", bypassed: false, bypassedBy: null }, onchange });
  box(page).click();
  flushSync();
  expect(box(page).checked).toBe(true);
  box(page).click();
  await vi.waitFor(() => {
    expect(onchange).toHaveBeenCalledOnce();
  });
  expect(bypass.mock.calls).toEqual([["7", true]]);
});

test.each([
  ["user", "Your agent can't switch the session on again."],
  ["agent", "Your agent switched the session off."],
] as const)("it says who switched the session off: the %s", (bypassedBy, note) => {
  const page = render(SessionBypass, { session: { id: "7", bypassed: true, bypassedBy }, onchange: vi.fn() });
  expect(box(page).checked).toBe(true);
  expect(page.textContent).toContain(note);
});
