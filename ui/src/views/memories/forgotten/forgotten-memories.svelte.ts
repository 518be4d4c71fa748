/** The forgotten memories that can still be restored, newest first. */

import { api, type MemoryRow, type Versions } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { EMPTY_SELECTION, select, selectAll, without, type SelectionMode, type Selection } from "$lib/components/list/selection";
import { Resource, type Outcome } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

import { inChunks, summarize, keepSelected } from "$lib/memory/bulk/bulk-report";

const PAGE = 100;
const MAX_PAGE = 1_000;
const GATHER_MS = 100;
const DAY_MS = 86_400_000;
/** The most rows shown at a time. */
const MOST_SHOWN = 300;

interface ForgottenReading {
  readonly rows: readonly MemoryRow[];
  /** The cursor of the next page; null at the end. */
  readonly cursor: string | null;
}

export class ForgottenMemories extends Resource<ForgottenReading> {
  protected override readonly resyncMs = GATHER_MS;
  /** The retention period in days; 0 for unlimited, undefined while unknown. */
  days = $state<number>();
  /** The search text. */
  q = $state("");
  selection = $state.raw<Selection<MemoryRow>>(EMPTY_SELECTION);
  progress = $state.raw<{ readonly done: number; readonly total: number }>();
  readonly rows = $derived(this.value?.rows ?? []);
  #limit = $state(MOST_SHOWN);
  #job = new AbortController();
  /** Where the next read continues and how many rows it should reach; undefined to reload from the start. */
  #nextPage: { readonly from: string; readonly wanted: number } | undefined;

  readonly matching = $derived.by(() => {
    const words = this.q
      .toLocaleLowerCase()
      .split(/\s+/u)
      .filter((word) => word !== "");
    if (words.length === 0) return this.rows;
    const holds = (row: MemoryRow): boolean => {
      const text = `${row.content} ${row.tags ?? ""} ${row.project ?? ""}`.toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    };
    return this.rows.filter(holds);
  });
  readonly shown = $derived(this.matching.slice(0, this.#limit));
  readonly selected = $derived(this.matching.filter((row) => this.selection.rows.has(row.id)));

  get #cursor(): string | null {
    return this.value?.cursor ?? null;
  }

  get hasMore(): boolean {
    return this.#cursor !== null || this.matching.length > this.shown.length;
  }

  override subscribe(): () => void {
    void this.#loadRetention();
    const rest = super.subscribe();
    return () => {
      rest();
      this.#job.abort();
    };
  }

  async #loadRetention(): Promise<void> {
    try {
      this.days = (await api.retention())?.windows.tombstones;
    } catch {
      // The list works without it.
      this.days = undefined;
    }
  }

  async more(): Promise<void> {
    this.#limit += MOST_SHOWN;
    if (this.matching.length >= this.#limit) return;
    if (await this.#loadMore(PAGE)) await this.#loadMatching();
  }

  /** Search all forgotten memories; loads the rest first. */
  async search(q: string): Promise<void> {
    this.q = q;
    this.#limit = MOST_SHOWN;
    await this.#loadMatching();
  }

  async #loadMatching(): Promise<void> {
    const { q } = this;
    while (q.trim() !== "" && this.q === q && this.phase === "ready") {
      if (!(await this.#loadMore(MAX_PAGE))) return;
    }
  }

  /** Load up to `count` more rows; false if none arrived. */
  async #loadMore(count: number): Promise<boolean> {
    if (this.#cursor === null) return false;
    this.#nextPage = { from: this.#cursor, wanted: this.rows.length + count };
    const outcome = await super.load();
    if (outcome === "failed" && this.phase === "ready" && this.error !== undefined) {
      toasts.add(this.error.message, { tone: "danger", hint: this.error.hint });
    }
    return outcome === "ready";
  }

  /** Reload as many rows as were loaded, then continue the search. */
  override async load(): Promise<Outcome> {
    if (this.phase === "failed") this.phase = "loading";
    this.#nextPage = undefined;
    const outcome = await super.load();
    if (outcome === "ready") await this.#loadMatching();
    return outcome;
  }

  protected async read(signal: AbortSignal): Promise<ForgottenReading> {
    let rows = this.#nextPage === undefined ? [] : this.rows;
    let cursor: string | null | undefined = this.#nextPage?.from;
    const wanted = this.#nextPage?.wanted ?? this.rows.length;
    do {
      const limit = Math.max(PAGE, Math.min(MAX_PAGE, wanted - rows.length));
      const page = await api.forgotten({ limit, cursor }, signal);
      signal.throwIfAborted();
      rows = [...rows, ...page.memories];
      cursor = page.next_cursor;
    } while (cursor !== null && rows.length < wanted);
    return { rows, cursor };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" ? GATHER_MS : undefined;
  }

  /** Ignore the changes that restoring causes. */
  override handleChange(change: ChangeEvent | "resync"): void {
    if (this.progress === undefined) super.handleChange(change);
  }

  select(id: string, how: SelectionMode): void {
    this.selection = select(this.selection, id, how, this.shown);
  }

  selectAll(): void {
    this.selection = selectAll(this.matching);
  }

  selectNone(): void {
    this.selection = EMPTY_SELECTION;
  }

  /** Remove rows that no longer exist. */
  drop(ids: readonly string[]): void {
    const gone = new Set(ids);
    if (this.value !== undefined) this.value = { ...this.value, rows: this.rows.filter((row) => !gone.has(row.id)) };
    this.selection = without(this.selection, ids);
  }

  cancel(): void {
    this.#job.abort();
  }

  /** Restore one or more memories. */
  async recover(rows: readonly MemoryRow[]): Promise<void> {
    if (this.progress !== undefined || rows.length === 0) return;
    this.#job = new AbortController();
    this.progress = { done: 0, total: rows.length };
    const report = await inChunks({
      items: rows,
      verb: "recovered",
      signal: this.#job.signal,
      send: (chunk) => api.recoverMany(new Map(chunk.map(({ id, version }) => [id, version])), "restored in the dashboard"),
      onprogress: (done) => (this.progress = { done, total: rows.length }),
    });
    this.progress = undefined;
    this.drop([...report.done.keys(), ...report.gone]);
    if (report.error?.isSignedOut === true) return;
    const stay = keepSelected(report).filter((id) => this.selection.rows.has(id)).length;
    const { text, hint, failed } = summarize(report, "restored", stay);
    const isOne = rows.length === 1 && report.done.size === 1;
    const words = { text: isOne ? "Restored." : text, tone: failed ? "danger" : "plain", hint } as const;
    if (report.done.size === 0) toasts.add(words.text, words);
    // The result of the undo is reported like any bulk job.
    else offerUndo({ ...words, undo: () => this.#forgetAgain(report.done), undone: "" });
    void this.load();
  }

  /** Forget those again that have the version still with which they came back. */
  async #forgetAgain(versions: Versions): Promise<void> {
    const items = [...versions].map(([id, version]) => ({ id, version }));
    const report = await inChunks({
      items,
      verb: "deleted",
      signal: new AbortController().signal,
      send: (chunk) => api.forgetMany(new Map(chunk.map(({ id, version }) => [id, version])), "undone in the dashboard"),
      onprogress: () => undefined,
    });
    const { text, hint, failed } = summarize(report, "forgotten", 0);
    toasts.add(text, { tone: failed ? "danger" : "plain", hint });
    void this.load();
  }

  /** Days until it is deleted, at most; undefined if unknown or never. */
  daysLeft(row: MemoryRow, now: number): number | undefined {
    if (this.days === undefined || this.days === 0 || row.deleted_at === null) return undefined;
    return Math.max(0, Math.ceil((Date.parse(row.deleted_at) + this.days * DAY_MS - now) / DAY_MS));
  }
}
