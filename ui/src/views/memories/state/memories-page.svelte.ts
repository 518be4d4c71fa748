/** The state and navigation of the Memories view, independent of its rendering. */

import { flushSync } from "svelte";

import { filtersOf, hasFilters, NO_FILTERS, type FilterSet } from "$lib/memory/filters";
import { agents } from "$lib/state/agents.svelte";
import { router } from "$lib/state/router.svelte";
import { connection } from "$lib/state/connection.svelte";

import { BulkJob } from "../bulk/bulk-job.svelte";
import { OpenMemory } from "../detail/open-memory.svelte";
import { readView, writeQuery, writeView, type View } from "../filter/view-url";
import { FacetCounts } from "../filter/facet-counts.svelte";
import { reportFailure } from "$lib/memory/memory-actions";
import { resultCount } from "../list/result-count";
import { rememberedArrangement, writeArrangement, type Arrangement } from "../list/arrangement.svelte";
import { MemoryRows } from "../list/memory-rows.svelte";
import { SelectedRows } from "../list/selected-rows.svelte";
import { Targets } from "./targets";
import type { OpenDialog, DetailHandle, ListHandle } from "./page-types";

const TYPING_MS = 120;

export class MemoriesPage {
  readonly list = new MemoryRows();
  readonly openMemory = new OpenMemory();
  readonly selection = new SelectedRows();
  readonly counts = new FacetCounts();
  readonly targets = new Targets(this);
  readonly job = new BulkJob({
    hold: () => this.list.hold(),
    keep: (ids) => this.selection.keep(ids),
    forgotten: (ids) => {
      this.list.drop(ids);
      if (this.view.id !== undefined && ids.includes(this.view.id)) this.go({ id: undefined }, "replace");
      this.list.handleChange("resync");
      this.counts.handleChange("resync");
    },
    changed: (ids) => {
      this.list.handleChange("resync");
      if (this.view.id !== undefined && ids.includes(this.view.id)) void this.openMemory.load();
    },
  });

  readonly view = $derived(readView(router.path, router.query, rememberedArrangement.value));
  /** The search and filters, without the open memory. */
  readonly query = $derived(writeQuery(this.view).toString());
  /** All that the list depends on. */
  readonly listed = $derived(writeView({ ...this.view, id: undefined }).query.toString());
  readonly isSearch = $derived(this.view.q.trim() !== "");
  readonly isFiltered = $derived(hasFilters(this.view));
  active = $state<string>();
  editing = $state(false);
  dialog = $state.raw<OpenDialog>();
  isFiltering = $state(false);
  /** Whether there is room for one pane only. */
  isSinglePane = $state(false);
  /** Whether the bulk bar replaces the filter bar. */
  readonly isBulkMode = $derived(this.selection.count > 0 || this.job.working !== undefined);
  /** While the list loads to its end: the total, such as " of 5,000". */
  endsAt = $state<string>();
  readonly count = $derived(
    this.endsAt === undefined
      ? resultCount(this.list, this.isSearch, this.isFiltered, this.counts.total)
      : `Loading ${this.list.rows.length.toLocaleString()}${this.endsAt}… Press Esc to stop.`,
  );
  /** The filters to count for: only while counts are visible. */
  readonly counted = $derived(this.isFiltering || (this.isFiltered && !this.isSearch) ? filtersOf(this.view) : undefined);
  rows: ListHandle | undefined;
  detail: DetailHandle | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #end = new AbortController();

  /** Follow changes until the returned function is called. */
  subscribe(): () => void {
    const rest = agents.subscribe();
    const silence = connection.onChange((change) => {
      this.list.handleChange(change);
      this.openMemory.handleChange(change);
      this.counts.handleChange(change);
      if (change !== "resync" && change.topic === "memory" && change.what === "deleted") this.selection.drop(change.ids);
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

  /** Load the results of a query, as in the URL. */
  load(query: string): void {
    const view = readView("", new URLSearchParams(query));
    this.selection.clear();
    this.job.endCollecting();
    this.#end.abort();
    this.endsAt = undefined;
    this.rows?.toTop();
    void this.list.load({ ...filtersOf(view), q: view.q, sort: view.sort, group: view.group }).then(() => {
      // Until the response arrived, rows of the previous query could be selected.
      if (this.selection.count > 0) this.selection.keep(this.list.rows.map((row) => row.id));
    });
  }

  /** Show a memory; with `edit=1` in the URL, edit it once it is loaded. */
  show(id: string | undefined): void {
    this.editing = false;
    if (id !== undefined) this.active = id;
    const isEdit = router.query.get("edit") === "1";
    void this.openMemory.show(id).then(() => {
      if (isEdit && id !== undefined && this.openMemory.row?.id === id && this.openMemory.state === "ready") this.editing = true;
    });
  }

  go(change: Partial<View>, how: "push" | "replace" = "push"): void {
    const { path, query } = writeView({ ...this.view, ...change });
    router.go(path, query, how);
  }

  /** Apply a saved filter. */
  goSaved(query: string): void {
    const { path } = writeView({ ...this.view, ...NO_FILTERS, q: "" });
    const wanted = new URLSearchParams(query);
    writeArrangement(wanted, this.view);
    router.go(path, wanted);
  }

  /** Sort or group the list, now and the next time. */
  arrange(arrangement: Arrangement): void {
    rememberedArrangement.value = arrangement;
    this.go(arrangement);
  }

  filter(change: FilterSet): void {
    this.go(change);
  }

  /** Narrow the list to what is like the open memory, and show the list where there is room for one pane only. */
  filterLike(change: Partial<View>): void {
    if (!this.isSinglePane) {
      this.go(change);
      return;
    }
    this.go({ ...change, id: undefined });
    flushSync();
    this.focusList();
  }

  /** Show all memories of a session: whatever else was searched or filtered for would leave a part of them. */
  showSession(session: string): void {
    clearTimeout(this.#typing);
    this.filterLike({ ...NO_FILTERS, q: "", session });
  }

  clear(): void {
    this.go(NO_FILTERS);
  }

  search(q: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => { this.go({ q }, "replace"); }, TYPING_MS);
  }

  /** Search again with weaker matches; the button that asked for it disappears. */
  async showWeaker(): Promise<void> {
    await this.list.showWeaker();
    flushSync();
    this.catchFocus();
  }

  open(id: string): void {
    this.active = id;
    if (id !== this.view.id) this.go({ id }, this.view.id === undefined ? "push" : "replace");
    flushSync();
    this.rows?.show(id);
    if (this.isSinglePane) this.detail?.focus();
  }

  /** Open a memory linked from the open one; Back returns to it. */
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

  /** Recover focus when the focused button of a job disappears. */
  catchFocus(): void {
    if (document.activeElement === document.body) this.focusList();
  }

  move(by: number): void {
    this.rows?.move(by);
    if (this.view.id !== undefined && !this.editing && this.active !== undefined) this.go({ id: this.active }, "replace");
  }

  /** Move and extend the selection. */
  extend(by: number): void {
    const from = this.active;
    this.rows?.move(by);
    if (this.active !== undefined) this.selection.extend(this.list.rows, from, this.active);
  }

  /** Select a row by pointer or by a key of the list. */
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
      if (!(thrown instanceof DOMException)) reportFailure("Couldn't select all memories", thrown);
    }
  }

  /** The number of matches, if known. */
  get total(): number | undefined {
    if (this.list.isComplete) return this.list.rows.length;
    return this.isFiltered ? this.counts.total : this.list.stored;
  }

  /** Move to the last row, loading all pages first. */
  async toEnd(): Promise<void> {
    if (this.list.isComplete) {
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
    // Works even if no row is active yet.
    this.rows?.focusRow(this.list.rows.length - 1);
    this.move(0);
  }

  /** Cancel one thing for Esc; false if there is nothing to cancel. */
  stop(): boolean {
    if (this.endsAt !== undefined) {
      this.#end.abort();
      this.endsAt = undefined;
    } else if (this.job.working !== undefined) this.job.cancel();
    else if (this.selection.count > 0) this.selection.clear();
    else return false;
    return true;
  }

  /** Whether the memory of the URL is loaded; only then it can be edited. */
  get isArrived(): boolean {
    return this.openMemory.row !== undefined && this.openMemory.row.id === this.view.id;
  }

  /** The ID of the target: the open memory, else the focused one. */
  get target(): string | undefined {
    return this.view.id ?? (this.rows?.hasFocus() === true ? this.active : undefined);
  }

  edit(): void {
    const id = this.target;
    if (id === undefined) return;
    this.open(id);
    if (this.openMemory.state === "gone" || this.openMemory.state === "failed") return;
    // Set last: following the URL ends a previous edit.
    this.editing = true;
  }

  editEnd(): void {
    this.editing = false;
    if (this.view.id !== undefined) this.targets.changed(this.view.id);
    flushSync();
    if (this.isSinglePane) this.detail?.focus();
    else this.focusList();
  }
}
