/** The forgotten memories that can still be brought back, the latest first. */

import { api, type MemoryRow } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";
import { NONE, select, selectAll, without, type How, type Selection } from "$lib/parts/list/selection";
import { session } from "$lib/state/session.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { inChunks, inWords, kept } from "../bulk/chunks";

const PAGE = 100;
const MAX_PAGE = 1_000;
const GATHER_MS = 100;
const DAY_MS = 86_400_000;
/** More than this at a time is no list that one reads. */
const MOST_SHOWN = 300;

export class Forgotten {
  rows = $state.raw<readonly MemoryRow[]>([]);
  phase = $state<"loading" | "ready" | "failed">("loading");
  error = $state.raw<ApiError>();
  /** For how many days they are kept; 0 for ever, undefined while it is not known. */
  days = $state<number>();
  /** What is looked for in them. */
  q = $state("");
  selection = $state.raw<Selection<MemoryRow>>(NONE);
  working = $state.raw<{ readonly done: number; readonly total: number }>();
  #most = $state(MOST_SHOWN);
  #cursor = $state<string | null>(null);
  #work = new AbortController();
  #job = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

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

  get hasMore(): boolean {
    return this.#cursor !== null || this.found.length > this.shown.length;
  }

  /** Read the list, and follow what changes until the returned function is called. */
  follow(): () => void {
    void this.load();
    void this.#learn();
    const silence = session.onChange((change) => {
      this.hear(change);
    });
    return () => {
      silence();
      this.#work.abort();
      this.#job.abort();
      clearTimeout(this.#timer);
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

  /** Read it anew, as far as it was read; what is looked for is looked for in all of them again. */
  async load(): Promise<void> {
    if (this.phase === "failed") this.phase = "loading";
    if (await this.#read(undefined, this.rows.length)) await this.#findOn();
  }

  async more(): Promise<void> {
    this.#most += MOST_SHOWN;
    if (this.#cursor === null || this.found.length >= this.#most) return;
    if (await this.#read(this.#cursor, this.rows.length + PAGE)) await this.#findOn();
  }

  /** Look for words in all of them: those that are not loaded yet are read. */
  async search(q: string): Promise<void> {
    this.q = q;
    this.#most = MOST_SHOWN;
    await this.#findOn();
  }

  async #findOn(): Promise<void> {
    const { q } = this;
    while (q.trim() !== "" && this.q === q && this.#cursor !== null && this.phase === "ready") {
      if (!(await this.#read(this.#cursor, this.rows.length + MAX_PAGE))) return;
    }
  }

  /** Read from a cursor on until there are so many, or all; false where they did not come. */
  async #read(from: string | undefined, wanted: number): Promise<boolean> {
    this.#work.abort();
    const work = new AbortController();
    this.#work = work;
    let rows = from === undefined ? [] : this.rows;
    let cursor: string | null | undefined = from;
    try {
      do {
        const limit = Math.max(PAGE, Math.min(MAX_PAGE, wanted - rows.length));
        const page = await api.forgotten({ limit, cursor }, work.signal);
        if (work.signal.aborted) return false;
        rows = [...rows, ...page.memories];
        cursor = page.next_cursor;
      } while (cursor !== null && rows.length < wanted);
    } catch (thrown) {
      if (isAbort(thrown) || work.signal.aborted) return false;
      this.error = asApiError(thrown);
      // What was read before is better than nothing.
      if (this.phase !== "ready") this.phase = "failed";
      else if (from !== undefined) toasts.add(this.error.message, { tone: "danger", hint: this.error.hint });
      return false;
    }
    this.rows = rows;
    this.#cursor = cursor;
    this.phase = "ready";
    this.error = undefined;
    return true;
  }

  hear(change: Changed | "resync"): void {
    if (this.working !== undefined || (change !== "resync" && change.room !== "memory")) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), GATHER_MS);
  }

  select(id: string, how: How): void {
    this.selection = select(this.selection, id, how, this.shown);
  }

  selectAll(): void {
    this.selection = selectAll(this.found);
  }

  clear(): void {
    this.selection = NONE;
  }

  /** Take some off the list that are here no longer. */
  drop(ids: readonly string[]): void {
    const gone = new Set(ids);
    this.rows = this.rows.filter((row) => !gone.has(row.id));
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
