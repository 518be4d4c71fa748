import { flushSync } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";

import { api, type FacetsReply, type RememberReply } from "$lib/api/client";
import { ApiError } from "$lib/api/errors";
import { render, press, type } from "$lib/testing";

import RememberDialog from "./RememberDialog.svelte";

beforeEach(() => {
  const facets = {
    project: [
      { value: "/work/fleet-infra", count: 2 },
      { value: null, count: 1 },
    ],
  };
  vi.spyOn(api, "facets").mockResolvedValue({ total: 3, facets } as unknown as FacetsReply);
});

function opened(project?: string): { text: HTMLTextAreaElement; page: HTMLElement; onclose: () => void } {
  const onclose = vi.fn();
  const page = render(RememberDialog, { project, onsaved: () => undefined, onclose });
  const text = page.querySelector("textarea");
  if (text === null) throw new Error("no field");
  text.focus();
  return { text, page, onclose };
}

const submit = (page: HTMLElement): void => {
  page.querySelector("form")?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
  flushSync();
};

test("the first Esc warns of the text that would be lost, the second leaves it", () => {
  const { text, page, onclose } = opened();
  type(text, "Agate is banded.");
  press("Escape");
  expect(onclose).not.toHaveBeenCalled();
  expect(page.textContent).toContain("Not saved yet. Press Esc again to discard.");
  type(text, "Agate is banded, mostly.");
  press("Escape");
  expect(onclose).not.toHaveBeenCalled();
  press("Escape");
  expect(onclose).toHaveBeenCalledOnce();
});

test("where nothing is typed, Esc closes at once", () => {
  const { onclose } = opened();
  press("Escape");
  expect(onclose).toHaveBeenCalledOnce();
});

test("while it is on its way the dialog stays, and a refusal finds the text there", async () => {
  let refuse = (): void => undefined;
  vi.spyOn(api, "remember").mockImplementation(
    () =>
      new Promise<RememberReply>((_, reject) => {
        refuse = () => {
          reject(new ApiError(503, { code: "x", title: "Not now", detail: "It checks itself." }));
        };
      }),
  );
  const { text, page, onclose } = opened();
  type(text, "Agate is banded.");
  submit(page);
  press("Escape");
  press("Escape");
  expect(onclose).not.toHaveBeenCalled();
  refuse();
  await vi.waitFor(() => {
    expect(page.textContent).toContain("It checks itself.");
  });
  expect([text.value, document.activeElement]).toEqual(["Agate is banded.", text]);
});

test("it is in sight for which project it is saved, which follows the filter and what is typed", async () => {
  const { page } = opened("/work/fleet-infra");
  expect(page.querySelector("footer")?.textContent).toContain("Will be saved for: fleet-infra");
  await vi.waitFor(() => {
    expect(page.querySelector("datalist option")?.textContent).toBe("fleet-infra");
  });
  const project = page.querySelector<HTMLInputElement>("input[list]");
  if (project === null) throw new Error("no project");
  type(project, "");
  expect(page.querySelector("footer")?.textContent).toContain("Will be saved for: All projects");
});
