/** What is done with those that are meant: the selected ones, or the one that is open or in focus. */

import { flushSync } from "svelte";

import { api } from "$lib/api/client";
import { keys } from "$lib/keys/registry.svelte";
import { rowOf, type ListRow } from "$lib/memory/rows";

import type { Deed } from "../bulk/deeds";
import { forget, setPinned, tellFailure } from "../list/actions";
import type { MemoriesPage } from "./page.svelte";

export class Meant {
  readonly #page: MemoriesPage;
  /** Those that are being forgotten, until the answer comes. */
  readonly #going = new Set<string>();

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

  async begin(deed: Deed): Promise<void> {
    // Reading what is meant takes a moment; what is typed then is for the question that comes.
    const early = keys.hold();
    const page = this.#page;
    try {
      const rows = await this.rows();
      if (early.isLeft || page.asking !== undefined || rows.length === 0 || page.job.working !== undefined) return;
      if (deed === "pin" || deed === "unpin") void page.job.change({ kind: "pinned", pinned: deed === "pin" }, rows);
      else if (deed === "forget") page.asking = { kind: deed, rows };
      else page.asking = { kind: "change", what: deed, rows };
    } catch (thrown) {
      tellFailure("It could not be read", thrown);
    } finally {
      // The question is there with the next drawing, and takes over.
      flushSync();
      keys.release(early);
    }
  }

  pin(): void {
    const { list, opened, selection, target: id } = this.#page;
    if (selection.count > 0) {
      const isAll = selection.asListed(list.rows).every((row) => row.pinned);
      void this.begin(isAll ? "unpin" : "pin");
      return;
    }
    if (id === undefined) return;
    const row = list.rows.find((one) => one.id === id);
    const isPinned = row?.pinned ?? (opened.row?.id === id && Boolean(opened.row.pinned));
    void setPinned(id, !isPinned).then(() => { this.changed(id); });
  }

  async forget(): Promise<void> {
    const page = this.#page;
    const { list, target: id } = page;
    if (page.selection.count > 0) {
      await this.begin("forget");
      return;
    }
    if (id === undefined || this.#going.has(id)) return;
    const index = list.rows.findIndex((row) => row.id === id);
    this.#going.add(id);
    const isGone = await forget(list, id, (back) => { this.recovered(back); });
    this.#going.delete(id);
    if (!isGone) return;
    // Whoever went elsewhere while the answer was on its way stays there.
    const isHere = document.activeElement === document.body || page.detail?.hasFocus() === true;
    const next = list.rows[Math.min(index, list.rows.length - 1)];
    if (page.view.id === id) page.go({ id: page.isSingle ? undefined : next?.id }, "replace");
    flushSync();
    if (isHere && next !== undefined) page.rows?.focusRow(list.rows.indexOf(next));
  }

  recovered(id: string): void {
    const page = this.#page;
    page.list.hear({ room: "memory", what: "recovered", ids: [id] });
    page.active = id;
    if (page.view.id === id) void page.opened.load();
    else if (page.view.id !== undefined) page.go({ id }, "replace");
  }

  /** Do not wait for the daemon's word about what this page did itself. */
  changed(id: string): void {
    this.#page.list.hear({ room: "memory", what: "updated", ids: [id] });
    this.#page.opened.hear({ room: "memory", what: "updated", ids: [id] });
  }
}
