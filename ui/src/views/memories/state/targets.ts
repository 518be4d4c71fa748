/** What is done with those that are meant: the selected ones, or the one that is open or in focus. */

import { flushSync } from "svelte";

import { api } from "$lib/api/client";
import { keys } from "$lib/keys/registry.svelte";
import { rowOf, type ListRow } from "$lib/memory/rows";

import type { BulkAction } from "../bulk/bulk-actions";
import { forget, setPinned, reportFailure } from "../list/memory-actions";
import type { MemoriesPage } from "./memories-page.svelte";

export class Targets {
  readonly #page: MemoriesPage;
  /** Those that are being forgotten, until the answer comes. */
  readonly #forgetting = new Set<string>();

  constructor(page: MemoriesPage) {
    this.#page = page;
  }

  /** Those that are meant: the selected ones, or the one. */
  async rows(): Promise<readonly ListRow[]> {
    const { list, selection, target } = this.#page;
    if (selection.count > 0) return selection.asListed(list.rows);
    if (target === undefined) return [];
    const row = list.rows.find((one) => one.id === target);
    if (row?.version !== undefined) return [row];
    return [rowOf(await api.memory(target))];
  }

  async begin(action: BulkAction): Promise<void> {
    // Reading what is meant takes a moment; what is typed then is for the question that comes.
    const buffer = keys.hold();
    const page = this.#page;
    try {
      const rows = await this.rows();
      if (buffer.isCancelled || page.dialog !== undefined || rows.length === 0 || page.job.working !== undefined) return;
      if (action === "pin" || action === "unpin") void page.job.change({ kind: "pinned", pinned: action === "pin" }, rows);
      else if (action === "forget") page.dialog = { kind: action, rows };
      else page.dialog = { kind: "change", what: action, rows };
    } catch (thrown) {
      reportFailure("It could not be read", thrown);
    } finally {
      // The question is there with the next drawing, and takes over.
      flushSync();
      keys.release(buffer);
    }
  }

  pin(): void {
    const { list, openMemory, selection, target: id } = this.#page;
    if (selection.count > 0) {
      const isAll = selection.asListed(list.rows).every((row) => row.pinned);
      void this.begin(isAll ? "unpin" : "pin");
      return;
    }
    if (id === undefined) return;
    const row = list.rows.find((one) => one.id === id);
    const isPinned = row?.pinned ?? (openMemory.row?.id === id && Boolean(openMemory.row.pinned));
    void setPinned(id, !isPinned).then(() => { this.changed(id); });
  }

  async forget(): Promise<void> {
    const page = this.#page;
    const { list, target: id } = page;
    if (page.selection.count > 0) {
      await this.begin("forget");
      return;
    }
    if (id === undefined || this.#forgetting.has(id)) return;
    const index = list.rows.findIndex((row) => row.id === id);
    this.#forgetting.add(id);
    const isUnmounted = await forget(list, id, (back) => { this.recovered(back); });
    this.#forgetting.delete(id);
    if (!isUnmounted) return;
    // Whoever went elsewhere while the answer was on its way stays there.
    const isHere = document.activeElement === document.body || page.detail?.hasFocus() === true;
    const next = list.rows[Math.min(index, list.rows.length - 1)];
    if (page.view.id === id) page.go({ id: page.isSinglePane ? undefined : next?.id }, "replace");
    flushSync();
    if (isHere && next !== undefined) page.rows?.focusRow(list.rows.indexOf(next));
  }

  recovered(id: string): void {
    const page = this.#page;
    page.list.handleChange({ topic: "memory", what: "recovered", ids: [id] });
    page.active = id;
    if (page.view.id === id) void page.openMemory.load();
    else if (page.view.id !== undefined) page.go({ id }, "replace");
  }

  /** Do not wait for the daemon's word about what this page did itself. */
  changed(id: string): void {
    this.#page.list.handleChange({ topic: "memory", what: "updated", ids: [id] });
    this.#page.openMemory.handleChange({ topic: "memory", what: "updated", ids: [id] });
  }
}
