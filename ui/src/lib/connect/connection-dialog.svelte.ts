/** The dialog that shows what connecting or disconnecting an agent changes; it opens over any view. */

import { api, type ConnectionChange, type ConnectionPreview, type HarnessRow } from "$lib/api/client";
import { asApiError, type ApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

import { resultText } from "./connection-text";
import { harnesses } from "./harnesses.svelte";

/** Opens the dialog for an agent. */
export type OpenDialog = (change: ConnectionChange, tools?: boolean) => Promise<void>;

/** One change of one agent's settings: shown, then applied exactly as shown. */
export class ConnectionRequest {
  preview = $state.raw<ConnectionPreview>();
  error = $state.raw<ApiError>();
  isBusy = $state(false);
  /** The settings changed after they were shown; `preview` has the new changes. */
  isOutdated = $state(false);

  /** Whether connecting registers the tools too; undefined where they can't be chosen. */
  tools = $state<boolean>();
  /** What couldn't be done. */
  notes: readonly string[] = [];

  constructor(
    readonly row: HarnessRow,
    readonly change: ConnectionChange,
    tools = row.tools !== "declined",
  ) {
    const isChoice = change === "connect" && !["unsupported", "included", "foreign"].includes(row.tools);
    this.tools = isChoice ? tools : undefined;
  }

  async load(): Promise<void> {
    this.preview = undefined;
    await this.#show();
  }

  /** Show the changes with the tools or without; the old ones stay until the new ones are there. */
  async choose(tools: boolean): Promise<void> {
    this.tools = tools;
    await this.#show();
    if (this.error !== undefined) this.preview = undefined;
  }

  async #show(): Promise<void> {
    const { tools } = this;
    await this.#work(async () => {
      const preview = await api.previewConnection(this.row.id, this.change, tools);
      if (tools === this.tools) this.preview = preview;
    });
  }

  /** Resolves to whether it was applied; otherwise `error` or `isOutdated` say why. */
  async apply(token: string): Promise<boolean> {
    const isApplied = await this.#work(async () => {
      const { notes } = await api.changeConnection(this.row.id, this.change, token, this.tools);
      this.notes = notes;
    });
    if (this.error?.code === "settings_changed") {
      await this.load();
      this.isOutdated = true;
    }
    return isApplied;
  }

  async #work(task: () => Promise<void>): Promise<boolean> {
    this.isBusy = true;
    this.isOutdated = false;
    this.error = undefined;
    try {
      await task();
      return true;
    } catch (thrown) {
      this.error = asApiError(thrown);
      return false;
    } finally {
      this.isBusy = false;
    }
  }
}

class ConnectionDialogState {
  request = $state.raw<ConnectionRequest>();
  #end: (isApplied: boolean) => void = () => undefined;

  /** Resolves to whether the change was made once the dialog is closed. */
  open(row: HarnessRow, change: ConnectionChange, tools?: boolean): Promise<boolean> {
    this.close(false);
    this.request = new ConnectionRequest(row, change, tools);
    return new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  close(isApplied: boolean): void {
    const { request } = this;
    this.request = undefined;
    if (request !== undefined && isApplied) {
      void harnesses.load();
      const { text, hint } = resultText(request.row, request.change, request.notes);
      toasts.add(text, { hint });
    }
    this.#end(isApplied);
  }
}

export const connectionDialog = new ConnectionDialogState();
