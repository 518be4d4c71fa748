/** The forgotten memories that can still be brought back, the latest first. */

import { api, type MemoryRow } from "$lib/api/client";
import type { Changed } from "$lib/api/live";
import { NONE, select, selectAll, without, type How, type Selection } from "$lib/parts/list/selection";
import { Resource, type Outcome } from "$lib/state/resource.svelte";
import { session } from "$lib/state/session.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { inChunks, inWords, kept } from "../bulk/chunks";

const PAGE = 100;
const MAX_PAGE = 1_000;
const GATHER_MS = 100;
const DAY_MS = 86_400_000;
/** More than this at a time is no list that one reads. */
const MOST_SHOWN = 300;

interface Reading {
  readonly rows: readonly MemoryRow[];
  /** Where the next page begins; null at the end. */
  readonly cursor: string | null;
}

export class Forgotten extends Resource<Reading> {
  protected override readonly resyncMs = GATHER_MS;
  /** For how many days they are kept; 0 for ever, undefined while it is not known. */
  days = $state<number>();
  /** What is looked for in them. */
  q = $state("");
  selection = $state.raw<Selection<MemoryRow>>(NONE);
  working = $state.raw<{ readonly done: number; readonly total: number }>();
  readonly rows = $derived(this.value?.rows ?? []);
  #most = $state(MOST_SHOWN);
  #job = new AbortController();
  /** What the next read goes on from, and how many there should be then; nothing: from the start, as far as before. */
  #further: { readonly from: string; readonly wanted: number } | undefined;

  readonly found = $derived.by(() => {
    const words = this.q.toLocaleLowerCase().split(/\s+/u).filter((word) => word !== "");
    if (words.length === 0) return this.rows;
    const holds = (row: MemoryRow): boolean => {
      const text = `${row.content} ${row.tags ?? ""} ${row.project ?? ""}`.toLocaleLowerCase();
      return words.every((word) => text.includes(word));
    };
    return this.rows.filter(holds);
  });
  readonly shown = $derived(this.found.slice(0, this.#most));
  readonly selected = $derived(this.found.filter((row) => this.selection.rows.has(row.id)));

  get #cursor(): string | null {
    return this.value?.cursor ?? null;
  }

  get hasMore(): boolean {
    return this.#cursor !== null || this.found.length > this.shown.length;
  }

  override follow(): () => void {
    void this.#learn();
    const rest = super.follow();
    return () => {
      rest();
      this.#job.abort();
    };
  }

  async #learn(): Promise<void> {
    try {
      this.days = (await api.retention())?.windows.tombstones;
    } catch {
      // The list is of use without it.
      this.days = undefined;
    }
  }

  async more(): Promise<void> {
    this.#most += MOST_SHOWN;
    if (this.found.length >= this.#most) return;
    if (await this.#readOn(PAGE)) await this.#findOn();
  }

  /** Look for words in all of them: those that are not loaded yet are read. */
  async search(q: string): Promise<void> {
    this.q = q;
    this.#most = MOST_SHOWN;
    await this.#findOn();
  }

  async #findOn(): Promise<void> {
    const { q } = this;
    while (q.trim() !== "" && this.q === q && this.phase === "ready") {
      if (!(await this.#readOn(MAX_PAGE))) return;
    }
  }

  /** Read so many more, or all there are; false where nothing came. */
  async #readOn(count: number): Promise<boolean> {
    if (this.#cursor === null) return false;
    this.#further = { from: this.#cursor, wanted: this.rows.length + count };
    const outcome = await super.load();
    if (outcome === "failed" && this.phase === "ready" && this.error !== undefined) {
      toasts.add(this.error.message, { tone: "danger", hint: this.error.hint });
    }
    return outcome === "ready";
  }

  /** Read it anew, as far as it was read; what is looked for is looked for in all of them again. */
  override async load(): Promise<Outcome> {
    if (this.phase === "failed") this.phase = "loading";
    this.#further = undefined;
    const outcome = await super.load();
    if (outcome === "ready") await this.#findOn();
    return outcome;
  }

  protected async read(signal: AbortSignal): Promise<Reading> {
    let rows = this.#further === undefined ? [] : this.rows;
    let cursor: string | null | undefined = this.#further?.from;
    const wanted = this.#further?.wanted ?? this.rows.length;
    do {
      const limit = Math.max(PAGE, Math.min(MAX_PAGE, wanted - rows.length));
      const page = await api.forgotten({ limit, cursor }, signal);
      signal.throwIfAborted();
      rows = [...rows, ...page.memories];
      cursor = page.next_cursor;
    } while (cursor !== null && rows.length < wanted);
    return { rows, cursor };
  }

  protected override delay({ room }: Changed): number | undefined {
    return room === "memory" ? GATHER_MS : undefined;
  }

  /** While some are brought back, the changes are the work's own. */
  override hear(change: Changed | "resync"): void {
    if (this.working === undefined) super.hear(change);
  }

  select(id: string, how: How): void {
    this.selection = select(this.selection, id, how, this.shown);
  }

  selectAll(): void {
    this.selection = selectAll(this.found);
  }

  selectNone(): void {
    this.selection = NONE;
  }

  /** Take some off the list that are here no longer. */
  drop(ids: readonly string[]): void {
    const gone = new Set(ids);
    if (this.value !== undefined) this.value = { ...this.value, rows: this.rows.filter((row) => !gone.has(row.id)) };
    this.selection = without(this.selection, ids);
  }

  cancel(): void {
    this.#job.abort();
  }

  /** Bring one or many back. */
  async recover(rows: readonly MemoryRow[]): Promise<void> {
    if (this.working !== undefined || rows.length === 0) return;
    this.#job = new AbortController();
    this.working = { done: 0, total: rows.length };
    const report = await inChunks({
      items: rows,
      verb: "recovered",
      signal: this.#job.signal,
      send: (chunk) => api.recoverMany(new Map(chunk.map(({ id, version }) => [id, version])), "brought back in the dashboard"),
      onprogress: (done) => (this.working = { done, total: rows.length }),
    });
    this.working = undefined;
    this.drop([...report.done.keys(), ...report.gone]);
    if (report.done.size > 0) session.signedOut = false;
    if (report.error?.isSignedOut === true) return;
    const stay = kept(report).filter((id) => this.selection.rows.has(id)).length;
    const { text, hint, failed } = inWords(report, "brought back", stay);
    const isOne = rows.length === 1 && report.done.size === 1;
    toasts.add(isOne ? "It is back." : text, { tone: failed ? "danger" : "plain", hint });
    void this.load();
  }

  /** How many days it is kept, at most; undefined where it is kept for ever, or nobody knows. */
  daysLeft(row: MemoryRow, now: number): number | undefined {
    if (this.days === undefined || this.days === 0 || row.deleted_at === null) return undefined;
    return Math.max(0, Math.ceil((Date.parse(row.deleted_at) + this.days * DAY_MS - now) / DAY_MS));
  }
}
