/** The items of the inbox: loaded by page, and kept current by change events. */

import { api, type InboxRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";

import { hasWords, INBOX_URL, type InboxFilters } from "./inbox-filters";
import { bySession } from "./inbox-groups";

const GATHER_MS = 100;

export class InboxItems extends PagedList<InboxRow, InboxFilters> {
  protected override readonly maxPage = 1_000;
  protected override readonly resyncMs = GATHER_MS;
  /**
   * Items that this page decided on, and whether the daemon has confirmed it: a read that started
   * before may still contain them.
   */
  readonly #decided = new Map<string, boolean>();

  constructor() {
    super(INBOX_URL.none);
  }

  protected async readPage(filters: InboxFilters, limit: number, cursor: string | undefined, signal: AbortSignal): Promise<Page<InboxRow>> {
    const { q, ...query } = filters;
    if (q.trim() === "") {
      const page = await api.inbox({ ...query, limit, cursor }, signal);
      return { rows: page.items, cursor: page.cursor };
    }
    // The words are looked for here: open items are few.
    for (let next = cursor; ;) {
      const page = await api.inbox({ ...query, limit: this.maxPage, cursor: next }, signal);
      const rows = page.items.filter((item) => hasWords(item, q));
      if (rows.length > 0 || page.cursor === null) return { rows, cursor: page.cursor };
      next = page.cursor;
    }
  }

  protected override async read(signal: AbortSignal, filters: InboxFilters): Promise<Page<InboxRow>> {
    const confirmed = [...this.#decided].filter(([, isConfirmed]) => isConfirmed).map(([id]) => id);
    const { rows, cursor } = await super.read(signal, filters);
    for (const id of confirmed) this.#decided.delete(id);
    return { rows: this.shown(rows), cursor };
  }

  protected override shown(rows: readonly InboxRow[]): readonly InboxRow[] {
    return bySession(this.#decided.size === 0 ? rows : rows.filter(({ id }) => !this.#decided.has(id)));
  }

  /** Remove items that are being decided on. */
  remove(ids: readonly string[]): void {
    for (const id of ids) this.#decided.set(id, false);
    if (this.value !== undefined) this.value = { ...this.value, rows: this.shown(this.rows) };
    // The next page moves up.
    if (this.rows.length === 0 && !this.isComplete) this.refresh(0);
  }

  /** The daemon has taken the decisions: reads from here on are trusted. */
  confirm(ids: readonly string[]): void {
    for (const id of ids) if (this.#decided.has(id)) this.#decided.set(id, true);
  }

  /** The items weren't decided on, or no longer are. */
  async putBack(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#decided.delete(id);
    await this.load();
  }

  protected override delay({ topic, ids }: ChangeEvent): number | undefined {
    if (topic === "inbox") return GATHER_MS;
    const isShown = (row: InboxRow): boolean =>
      [row.memory_id, ...row.memories.map(({ id }) => id)].some((id) => id !== null && ids.includes(id));
    return topic === "memory" && this.rows.some(isShown) ? GATHER_MS : undefined;
  }
}
