/** The repairs, their runs and the maintenance, read while the page is shown. */

import { asApiError } from "$lib/api/errors";
import { healthApi, type RepairList } from "$lib/api/health";
import { Resource } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

import { healthMonitor } from "./health-monitor.svelte";
import { sentence } from "./repair-text";

const REFRESH_MS = 30_000;

export class Repairs extends Resource<RepairList> {
  protected override readonly resyncMs = 300;
  protected override readonly pausesHidden = true;

  protected read(signal: AbortSignal): Promise<RepairList> {
    return healthApi.repairs(signal);
  }

  protected override interval(): number {
    return REFRESH_MS;
  }

  /** Run a repair and report it with Undo if that is possible; rejects if it was refused or failed. */
  async run(action: string): Promise<void> {
    const { message, runId = null, canUndo } = await healthApi.repair(action, false);
    const text = sentence(message);
    if (runId === null) toasts.add("The repair is still running.", { hint: "Its result will stand under Repairs." });
    else if (canUndo === true) offerUndo({ text, undo: () => this.#undo(runId), undone: "" });
    else toasts.add(text);
    this.#refresh();
  }

  /** Undo a run. */
  async undo(id: string): Promise<void> {
    try {
      await this.#undo(id);
    } catch (thrown) {
      const { message, hint } = asApiError(thrown);
      toasts.add(`Couldn't undo: ${message}`, { tone: "danger", hint });
    }
  }

  async #undo(id: string): Promise<void> {
    toasts.add(sentence((await healthApi.undoRepair(id)).message));
    this.#refresh();
  }

  #refresh(): void {
    void this.load();
    healthMonitor.refreshNow();
  }
}

export const repairs = new Repairs();
