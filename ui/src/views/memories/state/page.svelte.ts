/** What the page of memories shows, where one is in it, and how one moves; apart from how it looks. */

import { flushSync } from "svelte";

import { filtersOf, narrows, NO_FILTERS, type FilterSet } from "$lib/memory/filters";
import { agents } from "$lib/state/agents.svelte";
import { place } from "$lib/state/place.svelte";
import { session } from "$lib/state/session.svelte";

import { BulkJob } from "../bulk/job.svelte";
import { OpenedMemory } from "../detail/opened.svelte";
import { readView, writeQuery, writeView, type View } from "../filter/address";
import { FacetCounts } from "../filter/facets.svelte";
import { tellFailure } from "../list/actions";
import { countInWords } from "../list/count";
import { MemoryRows } from "../list/rows.svelte";
import { Selected } from "../list/selected.svelte";
import { Meant } from "./meant";
import type { Asking, DetailHandle, ListHandle } from "./parts";

const TYPING_MS = 120;

export class MemoriesPage {
  readonly list = new MemoryRows();
  readonly opened = new OpenedMemory();
  readonly selection = new Selected();
  readonly counts = new FacetCounts();
  readonly meant = new Meant(this);
  readonly job = new BulkJob({
    hold: () => this.list.hold(),
    keep: (ids) => this.selection.keep(ids),
    forgotten: (ids) => {
      this.list.drop(ids);
      if (this.view.id !== undefined && ids.includes(this.view.id)) this.go({ id: undefined }, "replace");
      this.list.hear("resync");
      this.counts.hear("resync");
    },
    changed: (ids) => {
      this.list.hear("resync");
      if (this.view.id !== undefined && ids.includes(this.view.id)) void this.opened.load();
    },
  });

  readonly view = $derived(readView(place.path, place.query));
  /** The search and the filters, told apart from what is open. */
  readonly query = $derived(writeQuery(this.view).toString());
  readonly isSearch = $derived(this.view.q.trim() !== "");
  readonly isNarrow = $derived(narrows(this.view));
  active = $state<string>();
  editing = $state(false);
  asking = $state.raw<Asking>();
  isFiltering = $state(false);
  /** Whether there is room for one pane only. */
  isSingle = $state(false);
  /** In the place of the filters stands what is done with several. */
  readonly isMany = $derived(this.selection.count > 0 || this.job.working !== undefined);
  /** While the list loads on to its end: of how many. */
  endsAt = $state<string>();
  readonly count = $derived(
    this.endsAt === undefined
      ? countInWords(this.list, this.isSearch, this.isNarrow, this.counts.total)
      : `Loading on: ${this.list.rows.length.toLocaleString()}${this.endsAt}. Esc stops.`,
  );
  /** What is counted: only where it is looked at, in the menu or as how many match. */
  readonly counted = $derived(this.isFiltering || (this.isNarrow && !this.isSearch) ? filtersOf(this.view) : undefined);
  rows: ListHandle | undefined;
  detail: DetailHandle | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #end = new AbortController();

  /** Follow what changes until the returned function is called. */
  follow(): () => void {
    const rest = agents.follow();
    const silence = session.onChange((change) => {
      this.list.hear(change);
      this.opened.hear(change);
      this.counts.hear(change);
      if (change !== "resync" && change.room === "memory" && change.what === "deleted") this.selection.drop(change.ids);
    });
    return () => {
      rest();
      silence();
      clearTimeout(this.#typing);
      this.#end.abort();
      this.job.cancel();
      this.counts.clear();
    };
  }

  /** Show what a search and filters find, written as in an address. */
  load(query: string): void {
    const view = readView("", new URLSearchParams(query));
    this.selection.clear();
    this.job.endCollecting();
    this.#end.abort();
    this.endsAt = undefined;
    this.rows?.toTop();
    void this.list.load({ ...filtersOf(view), q: view.q }).then(() => {
      // Until the answer came, the rows of the query before were there to be chosen.
      if (this.selection.count > 0) this.selection.keep(this.list.rows.map((row) => row.id));
    });
  }

  show(id: string | undefined): void {
    this.editing = false;
    if (id !== undefined) this.active = id;
    void this.opened.show(id);
  }

  go(change: Partial<View>, how: "push" | "replace" = "push"): void {
    const { path, query } = writeView({ ...this.view, ...change });
    place.go(path, query, how);
  }

  /** Go to a search and filters as they were saved. */
  goSaved(query: string): void {
    const { path } = writeView({ ...this.view, ...NO_FILTERS, q: "" });
    place.go(path, new URLSearchParams(query));
  }

  filter(change: FilterSet): void {
    this.go(change);
  }

  clear(): void {
    this.go(NO_FILTERS);
  }

  search(q: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => { this.go({ q }, "replace"); }, TYPING_MS);
  }

  open(id: string): void {
    this.active = id;
    if (id !== this.view.id) this.go({ id }, this.view.id === undefined ? "push" : "replace");
    flushSync();
    this.rows?.show(id);
    if (this.isSingle) this.detail?.focus();
  }

  /** Open one that stands in the open one; the way back leads to the one before. */
  openFrom(id: string): void {
    this.active = id;
    this.go({ id });
    flushSync();
    this.rows?.show(id);
    this.detail?.focus();
  }

  close(): void {
    this.go({ id: undefined });
    flushSync();
    this.focusList();
  }

  focusList(): void {
    this.rows?.move(0);
  }

  /** The button that began the work is gone, or the one that ended it: the focus is not lost with it. */
  catchFocus(): void {
    if (document.activeElement === document.body) this.focusList();
  }

  move(by: number): void {
    this.rows?.move(by);
    if (this.view.id !== undefined && !this.editing && this.active !== undefined) this.go({ id: this.active }, "replace");
  }

  /** Move, and choose what is passed. */
  extend(by: number): void {
    const from = this.active;
    this.rows?.move(by);
    if (this.active !== undefined) this.selection.extend(this.list.rows, from, this.active);
  }

  /** A row was chosen by the pointer or a key of the list. */
  select(id: string, how: "one" | "toggle" | "range"): void {
    const row = this.list.rows.find((one) => one.id === id);
    if (row === undefined) return;
    if (how === "range") this.selection.extend(this.list.rows, this.view.id ?? this.active, id);
    else this.selection.toggle(row);
    this.active = id;
  }

  toggle(): void {
    const row = this.list.rows.find((one) => one.id === this.active) ?? this.list.rows[0];
    if (row === undefined) return;
    this.active = row.id;
    this.selection.toggle(row);
  }

  async selectAll(): Promise<void> {
    const { query, total } = this;
    try {
      const rows = await this.job.collect("Selecting", total, (signal, told) => this.list.collect(signal, told));
      if (rows !== undefined && query === this.query) this.selection.take(rows);
    } catch (thrown) {
      if (!(thrown instanceof DOMException)) tellFailure("They could not be selected", thrown);
    }
  }

  /** How many match, where that is known. */
  get total(): number | undefined {
    if (this.list.isWhole) return this.list.rows.length;
    return this.isNarrow ? this.counts.total : this.list.stored;
  }

  /** To the last of all: what is not loaded yet is loaded first. */
  async toEnd(): Promise<void> {
    if (this.list.isWhole) {
      this.#toLast();
      return;
    }
    this.#end.abort();
    const end = new AbortController();
    this.#end = end;
    this.endsAt = this.total === undefined ? "" : ` of ${this.total.toLocaleString()}`;
    await this.list.toEnd(end.signal);
    if (this.#end !== end) return;
    this.endsAt = undefined;
    flushSync();
    if (!end.signal.aborted) this.#toLast();
  }

  #toLast(): void {
    // Also where no row is active yet, from which one could move.
    this.rows?.focusRow(this.list.rows.length - 1);
    this.move(0);
  }

  /** Stop what Esc stops first; false where there is nothing. */
  stop(): boolean {
    if (this.endsAt !== undefined) {
      this.#end.abort();
      this.endsAt = undefined;
    } else if (this.job.working !== undefined) this.job.cancel();
    else if (this.selection.count > 0) this.selection.clear();
    else return false;
    return true;
  }

  /** Whether what is shown is what the address names; before, nothing of it can be edited. */
  get isArrived(): boolean {
    return this.opened.row !== undefined && this.opened.row.id === this.view.id;
  }

  /** The one that is meant: the open one, or the one in focus. */
  get target(): string | undefined {
    return this.view.id ?? (this.rows?.hasFocus() === true ? this.active : undefined);
  }

  edit(): void {
    const id = this.target;
    if (id === undefined) return;
    this.open(id);
    if (this.opened.state === "gone" || this.opened.state === "failed") return;
    // The page has followed the address; doing so ends an edit that began before.
    this.editing = true;
  }

  editEnd(): void {
    this.editing = false;
    if (this.view.id !== undefined) this.meant.changed(this.view.id);
    flushSync();
    if (this.isSingle) this.detail?.focus();
    else this.focusList();
  }
}
