import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { healthApi, type RepairReply } from "$lib/api/health";
import { toasts } from "$lib/state/toasts.svelte";
import { render } from "$lib/testing";

import { repairs } from "../state/repairs.svelte";
import { healthMonitor } from "../state/health-monitor.svelte";
import { repairList, report, run } from "../testing";

import RepairDialog from "./RepairDialog.svelte";

const reply = (affected: number, message: string, runId: string | null = null): RepairReply => ({
  action: "deduplicate",
  success: true,
  affected,
  message,
  runId,
  canUndo: runId !== null,
});

beforeEach(() => {
  repairs.set(repairList());
  vi.spyOn(healthApi, "report").mockResolvedValue(report());
});

afterEach(() => {
  repairs.clear();
  healthMonitor.clear();
  for (const toast of toasts.all) toasts.dismiss(toast.id);
});

function submitOf(page: HTMLElement): HTMLButtonElement {
  const button = page.querySelector<HTMLButtonElement>("button[type=submit]");
  if (button === null) throw new Error("no button");
  return button;
}

test("a repair says what it would touch before it runs, and can be undone", async () => {
  const send = vi
    .spyOn(healthApi, "repair")
    .mockImplementation((_, dryRun) =>
      Promise.resolve(dryRun ? reply(3, "3 duplicates would be forgotten.") : reply(3, "3 duplicates forgotten.", "r1")),
    );
  vi.spyOn(healthApi, "repairs").mockResolvedValue(repairList({ runs: [run()] }));
  const undo = vi.spyOn(healthApi, "undoRepair").mockResolvedValue(run({ message: "3 memories restored." }));
  const onclose = vi.fn();
  const page = render(RepairDialog, { action: "deduplicate", onclose });
  expect(submitOf(page).disabled).toBe(true);
  await vi.waitFor(() => {
    expect(page.textContent).toContain("3 duplicates would be forgotten.");
  });
  flushSync();
  expect(send.mock.calls).toEqual([["deduplicate", true]]);
  submitOf(page).click();
  await vi.waitFor(() => {
    expect(onclose).toHaveBeenCalled();
  });
  expect(send).toHaveBeenLastCalledWith("deduplicate", false);
  expect(toasts.all.map(({ text }) => text)).toEqual(["3 duplicates forgotten."]);
  toasts.undo();
  await vi.waitFor(() => {
    expect(undo).toHaveBeenCalledWith("r1");
  });
  await vi.waitFor(() => {
    expect(toasts.all.map(({ text }) => text)).toEqual(["3 memories restored."]);
  });
});

test("where there is nothing to repair, nothing can be run", async () => {
  vi.spyOn(healthApi, "repair").mockResolvedValue(reply(0, ""));
  const page = render(RepairDialog, { action: "check-fts", onclose: vi.fn() });
  await vi.waitFor(() => {
    expect(page.textContent).toContain("There is nothing to repair.");
  });
  expect(submitOf(page).disabled).toBe(true);
});

test("a repair that is refused now says why", async () => {
  const [first] = repairList().repairs;
  if (first === undefined) throw new Error("no repair");
  repairs.set(repairList({ repairs: [{ ...first, refused: "cooldown active, 9000ms remaining" }] }));
  vi.spyOn(healthApi, "repair").mockResolvedValue(reply(2, "2 rows are missing."));
  const page = render(RepairDialog, { action: "check-fts", onclose: vi.fn() });
  await vi.waitFor(() => {
    expect(page.textContent).toContain("It can’t run now: cooldown active, 9000ms remaining.");
  });
  expect(submitOf(page).disabled).toBe(true);
});
