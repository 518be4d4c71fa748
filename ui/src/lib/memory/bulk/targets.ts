/** Actions on the target memories of a page: the selected ones, else the open or focused one. */

import { flushSync } from "svelte";

import { api } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { keys } from "$lib/keys/registry.svelte";
import { forget, reportFailure, setPinned, type MemoryList } from "$lib/memory/memory-actions";
import { rowOf, type ListRow } from "$lib/memory/rows";

import type { OpenMemory } from "../detail/open-memory.svelte";
import type { BulkAction, BulkDialog } from "./bulk-actions";
import type { BulkJob } from "./bulk-job.svelte";

/** The page whose memories are acted on. */
export interface TargetPage {
  /** What the page shows of memories, changed at once when the user changes one. */
  readonly items: MemoryList & { readonly handleChange: (change: ChangeEvent) => void };
  readonly openMemory: OpenMemory;
  readonly job: Pick<BulkJob, "working" | "change">;
  dialog: BulkDialog | { readonly kind: string } | undefined;
  /** How many memories are selected, and their rows. */
  readonly selectedCount: number;
  readonly selectedRows: () => readonly ListRow[] | Promise<readonly ListRow[]>;
  /** The ID of the open or focused memory, if none is selected. */
  readonly target: string | undefined;
  /** The ID of the memory whose own pane has the focus: it is acted on, whatever is selected. */
  readonly paneTarget?: string | undefined;
  /** The row of a memory, if it is loaded. */
  readonly rowAt: (id: string) => ListRow | undefined;
  /** The user is about to forget a memory; the returned function is called once it is gone. */
  readonly forgetting: (id: string) => () => void;
  /** A forgotten memory is back. */
  readonly recovered: (id: string) => void;
}

export class Targets {
  readonly #page: TargetPage;
  /** Memories with a pending forget request. */
  readonly #forgetting = new Set<string>();

  constructor(page: TargetPage) {
    this.#page = page;
  }

  /** The target memories. */
  async rows(): Promise<readonly ListRow[]> {
    const target = this.#one;
    if (this.#isMany) return this.#page.selectedRows();
    if (target === undefined) return [];
    const row = this.#page.rowAt(target);
    if (row?.version !== undefined) return [row];
    return [rowOf(await api.memory(target))];
  }

  get #isMany(): boolean {
    return this.#page.selectedCount > 0 && this.#page.paneTarget === undefined;
  }

  get #one(): string | undefined {
    return this.#page.paneTarget ?? this.#page.target;
  }

  async begin(action: BulkAction | "pinOrUnpin"): Promise<void> {
    // Loading the targets takes a moment; keys typed meanwhile belong to the dialog that opens.
    const buffer = keys.hold();
    const page = this.#page;
    try {
      const rows = await this.rows();
      if (buffer.isCancelled || page.dialog !== undefined || rows.length === 0 || page.job.working !== undefined) return;
      if (action === "pinOrUnpin") void page.job.change({ kind: "pinned", pinned: !rows.every((row) => row.pinned) }, rows);
      else if (action === "pin" || action === "unpin") void page.job.change({ kind: "pinned", pinned: action === "pin" }, rows);
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
    const { openMemory } = this.#page;
    const id = this.#one;
    if (this.#isMany) {
      void this.begin("pinOrUnpin");
      return;
    }
    if (id === undefined) return;
    const isPinned = this.#page.rowAt(id)?.pinned ?? (openMemory.row?.id === id && Boolean(openMemory.row.pinned));
    void setPinned(id, !isPinned).then(() => {
      this.changed(id);
    });
  }

  async forget(): Promise<void> {
    const { items } = this.#page;
    const id = this.#one;
    if (this.#isMany) {
      await this.begin("forget");
      return;
    }
    if (id === undefined || this.#forgetting.has(id)) return;
    const forgotten = this.#page.forgetting(id);
    this.#forgetting.add(id);
    const isForgotten = await forget(items, id, (back) => {
      this.recovered(back);
    });
    this.#forgetting.delete(id);
    if (isForgotten) forgotten();
  }

  recovered(id: string): void {
    this.#page.items.handleChange({ topic: "memory", what: "recovered", ids: [id] });
    this.#page.recovered(id);
  }

  /** Apply the page's own change without waiting for the change event. */
  changed(id: string): void {
    this.#page.items.handleChange({ topic: "memory", what: "updated", ids: [id] });
    this.#page.openMemory.handleChange({ topic: "memory", what: "updated", ids: [id] });
  }
}
