import { flushSync } from "svelte";
import { expect, test, vi } from "vitest";

import { api, type AgentRow } from "$lib/api/client";
import { render } from "$lib/testing";

import AgentsView from "./AgentsView.svelte";

const AGENT = {
  id: "onyx",
  name: "Onyx",
  description: null,
  read_policy: "shared",
  policy_group: null,
  is_default: false,
  source: "seen",
  archived_at: "2026-11-21T12:00:00Z",
  last_seen_at: null,
  memories: { global: 0, private: 0 },
} as unknown as AgentRow;

function button(page: HTMLElement, name: string): HTMLButtonElement {
  const found = [...page.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent).trim() === name);
  if (found === undefined) throw new Error(`no button ${name}`);
  return found;
}

test("an agent that comes back late does not close the dialog that was opened meanwhile", async () => {
  vi.spyOn(api, "agents").mockResolvedValue([AGENT]);
  let answer = (): void => undefined;
  vi.spyOn(api, "addAgent").mockImplementation(
    () =>
      new Promise<AgentRow>((resolve) => {
        answer = () => {
          resolve({ ...AGENT, archived_at: null });
        };
      }),
  );
  const page = render(AgentsView, { title: "Agents", help: undefined });
  await vi.waitFor(() => {
    button(page, "Restore Onyx").click();
  });
  button(page, "Add").click();
  flushSync();
  answer();
  await vi.waitFor(() => {
    button(page, "Edit Onyx");
  });
  expect(page.querySelector("dialog")?.textContent).toContain("Add agent");
});
