import { expect, test, vi } from "vitest";

import { api } from "$lib/api/client";
import { found, group, reply, settingsReply } from "$lib/finding/finding-samples";
import { render, press, type } from "$lib/testing";
import { router } from "$lib/state/router.svelte";

import Palette from "./Palette.svelte";

function open(searching = false): { readonly page: HTMLElement; readonly field: HTMLInputElement } {
  vi.spyOn(api, "settings").mockResolvedValue(settingsReply([]));
  vi.spyOn(api, "harnesses").mockResolvedValue({ harnesses: [] } as never);
  vi.spyOn(api, "sessions").mockResolvedValue({ sessions: [] } as never);
  const page = render(Palette, { searching, onclose: () => undefined });
  const field = page.querySelector("input");
  if (field === null) throw new Error("no field");
  field.focus();
  return { page, field };
}

test("Enter before the answer opens what is asked now, not what was found before", async () => {
  const find = vi.spyOn(api, "find").mockResolvedValueOnce(reply(group("memory", [found("memory", "old")])));
  let answer = (): void => undefined;
  const { page, field } = open();
  type(field, "zircon");
  await vi.waitFor(() => {
    expect(page.textContent).toContain("old");
  });
  find.mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = () => {
          resolve(reply(group("memory", [found("memory", "new")])));
        };
      }),
  );
  type(field, "zircon cage");
  press("Enter");
  expect(router.path).not.toContain("old");
  await vi.waitFor(() => {
    expect(find).toHaveBeenCalledTimes(2);
  });
  answer();
  await vi.waitFor(() => {
    expect(router.path).toBe("/memories/new");
  });
});

test("what was typed is marked in titles and passages, and each option is in a named group", async () => {
  const item = found("session", "1", { title: "The outage of the queue", text: "Why was there an outage?", words: ["outage"] });
  vi.spyOn(api, "find").mockResolvedValue(reply(group("session", [item])));
  const { page, field } = open();
  type(field, "zircon outage");
  await vi.waitFor(() => {
    expect([...page.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["outage", "outage"]);
  });
  const section = page.querySelector("[role=option]")?.closest("[role=group]");
  expect(page.querySelector(`#${section?.getAttribute("aria-labelledby") ?? ""}`)?.textContent).toBe("Sessions");
  expect(field.getAttribute("aria-activedescendant")).toBe(page.querySelector("[aria-selected=true]")?.id);
  expect(page.querySelector("[role=status]")?.textContent).toBe("1 result");
});
