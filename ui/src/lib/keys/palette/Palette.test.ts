import { expect, test, vi } from "vitest";

import { api, type RecallResult } from "$lib/api/client";
import { render, press, type } from "$lib/testing";
import { router } from "$lib/state/router.svelte";

import Palette from "./Palette.svelte";

const hit = (id: string): RecallResult => ({ id, content: id, type: "fact", project: null }) as RecallResult;

test("Enter before the answer opens what is asked now, not what was found before", async () => {
  const search = vi.spyOn(api, "search").mockResolvedValueOnce({ results: [hit("old")], weaker: 0 });
  let answer = (): void => undefined;
  const page = render(Palette, { searching: false, onclose: () => undefined });
  const field = page.querySelector("input");
  if (field === null) throw new Error("no field");
  field.focus();
  type(field, "zircon");
  await vi.waitFor(() => {
    expect(page.textContent).toContain("old");
  });
  search.mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = () => {
          resolve({ results: [hit("new")], weaker: 0 });
        };
      }),
  );
  type(field, "zircon cage");
  press("Enter");
  expect(router.path).not.toContain("old");
  await vi.waitFor(() => {
    expect(search).toHaveBeenCalledTimes(2);
  });
  answer();
  await vi.waitFor(() => {
    expect(router.path).toBe("/memories/new");
  });
});
