/** Actions on the target memories: the selected ones, else the open or focused one. */

import { flushSync } from "svelte";

import { api } from "$lib/api/client";
import { keys } from "$lib/keys/registry.svelte";
import { rowOf, type ListRow } from "$lib/memory/rows";

import type { BulkAction } from "../bulk/bulk-actions";
import { forget, setPinned, reportFailure } from "$lib/memory/memory-actions";
import type { MemoriesPage } from "./memories-page.svelte";

export class Targets {
  readonly #page: MemoriesPage;
  /** Memories with a pending forget request. */
  readonly #forgetting = new Set<string>();

  constructor(page: MemoriesPage) {
    this.#page = page;
  }

  /** The target memories. */
  async rows(): Promise<readonly ListRow[]> {
    const { items, selected, target } = this.#page;
    if (selected.length > 0) return selected;
    if (target === undefined) return [];
    const row = items.rows.find((one) => one.id === target);
    if (row?.version !== undefined) return [row];
    return [rowOf(await api.memory(target))];
  }

  async begin(action: BulkAction): Promise<void> {
    // Loading the targets takes a moment; keys typed meanwhile belong to the dialog that opens.
    const buffer = keys.hold();
    const page = this.#page;
    try {
      const rows = await this.rows();
      if (buffer.isCancelled || page.dialog !== undefined || rows.length === 0 || page.job.working !== undefined) return;
      if (action === "pin" || action === "unpin") void page.job.change({ kind: "pinned", pinned: action === "pin" }, rows);
      else if (action === "forget") page.dialog = { kind: action, rows };
      else page.dialog = { kind: "change", what: action, rows };
    } catch (thrown) {
      reportFailure("Couldn't load the memory", thrown);
    } finally {
      // The dialog is rendered now and takes over the keys.
      flushSync();
      keys.release(buffer);
    }
  }

  pin(): void {
    const { items, openMemory, selected, target: id } = this.#page;
    if (selected.length > 0) {
      const isAll = selected.every((row) => row.pinned);
      void this.begin(isAll ? "unpin" : "pin");
      return;
    }
    if (id === undefined) return;
    const row = items.rows.find((one) => one.id === id);
    const isPinned = row?.pinned ?? (openMemory.row?.id === id && Boolean(openMemory.row.pinned));
    void setPinned(id, !isPinned).then(() => {
      this.changed(id);
    });
  }

  async forget(): Promise<void> {
    const page = this.#page;
    const { items, target: id } = page;
    if (page.selection.rows.size > 0) {
      await this.begin("forget");
      return;
    }
    if (id === undefined || this.#forgetting.has(id)) return;
    const index = items.rows.findIndex((row) => row.id === id);
    this.#forgetting.add(id);
    const isUnmounted = await forget(items, id, (back) => {
      this.recovered(back);
    });
    this.#forgetting.delete(id);
    if (!isUnmounted) return;
    // Don't move focus if the user moved on in the meantime.
    const isHere = document.activeElement === document.body || page.detail?.hasFocus() === true;
    const next = items.rows[Math.min(index, items.rows.length - 1)];
    if (page.view.id === id) page.go({ id: page.isSinglePane ? undefined : next?.id }, "replace");
    flushSync();
    if (isHere && next !== undefined) page.list?.focusRow(items.rows.indexOf(next));
  }

  recovered(id: string): void {
    const page = this.#page;
    page.items.handleChange({ topic: "memory", what: "recovered", ids: [id] });
    page.active = id;
    if (page.view.id === id) void page.openMemory.load();
    else if (page.view.id !== undefined) page.go({ id }, "replace");
  }

  /** Apply the page's own change without waiting for the change event. */
  changed(id: string): void {
    this.#page.items.handleChange({ topic: "memory", what: "updated", ids: [id] });
    this.#page.openMemory.handleChange({ topic: "memory", what: "updated", ids: [id] });
  }
}
