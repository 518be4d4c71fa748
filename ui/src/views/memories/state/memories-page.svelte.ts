/** The state and navigation of the Memories view, independent of its rendering. */

import { flushSync } from "svelte";

import { writeFilters } from "$lib/memory/filter-query";
import { filtersOf, hasFilters, NO_FILTERS } from "$lib/memory/filters";
import { agents } from "$lib/state/agents.svelte";
import { retain, selectAll } from "$lib/components/list/selection";
import { ListPage } from "$lib/list/list-page.svelte";
import type { ListRow } from "$lib/memory/rows";
import { router } from "$lib/state/router.svelte";
import { connection } from "$lib/state/connection.svelte";

import { BulkJob } from "$lib/memory/bulk/bulk-job.svelte";
import { OpenMemory } from "$lib/memory/detail/open-memory.svelte";
import { readView, writeView, type View } from "../filter/view-url";
import { FacetCounts } from "../filter/facet-counts.svelte";
import { reportFailure } from "$lib/memory/memory-actions";
import { resultCount } from "../list/result-count";
import { rememberedArrangement, writeArrangement, type Arrangement } from "../list/arrangement.svelte";
import { MemoryRows } from "../list/memory-rows.svelte";
import { Targets } from "$lib/memory/bulk/targets";
import type { OpenDialog, DetailHandle } from "./page-types";

const TYPING_MS = 120;

/** The order is always written: what the URL doesn't say is as remembered. */
const LIST_URL = {
  read: (query: URLSearchParams) => readView("", query, rememberedArrangement.value),
  write: (view: View) => {
    const query = writeFilters(view);
    query.set("sort", view.sort);
    query.set("group", view.group);
    return query;
  },
  isFiltered: hasFilters,
  cleared: NO_FILTERS,
};

export class MemoriesPage extends ListPage<ListRow, View> {
  declare readonly items: MemoryRows;
  override readonly lastLabel = "Last";
  readonly openMemory = new OpenMemory();
  readonly counts = new FacetCounts();
  readonly targets = new Targets(this);
  readonly job = new BulkJob({
    hold: () => this.items.hold(),
    keep: (ids) => this.#keepSelected(ids),
    forgotten: (ids) => {
      this.items.drop(ids);
      if (this.view.id !== undefined && ids.includes(this.view.id)) this.go({ id: undefined }, "replace");
      this.items.handleChange("resync");
      this.counts.handleChange("resync");
    },
    changed: (ids) => {
      this.items.handleChange("resync");
      if (this.view.id !== undefined && ids.includes(this.view.id)) void this.openMemory.load();
    },
  });

  readonly view = $derived(readView(router.path, router.query, rememberedArrangement.value));
  /** The search and filters, as saved filters have them. */
  readonly searched = $derived(writeFilters(this.view).toString());
  readonly isSearch = $derived(this.view.q.trim() !== "");
  editing = $state(false);
  dialog = $state.raw<OpenDialog>();
  isFiltering = $state(false);
  /** Whether the bulk bar replaces the filter bar. */
  readonly isBulkMode = $derived(this.selection.rows.size > 0 || this.job.working !== undefined);
  /** While the list loads to its end: the total, such as " of 5,000". */
  endsAt = $state<string>();
  readonly count = $derived.by(() =>
    this.endsAt === undefined
      ? resultCount(this.items, this.isSearch, this.isFiltered, this.counts.total)
      : `Loading ${this.items.rows.length.toLocaleString()}${this.endsAt}… Press Esc to stop.`,
  );
  /** The filters to count for: only while counts are visible. */
  readonly counted = $derived(this.isFiltering || (this.isFiltered && !this.isSearch) ? filtersOf(this.view) : undefined);
  detail: DetailHandle | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #end = new AbortController();

  constructor() {
    super({ path: "/memories", group: "Memories", items: new MemoryRows(), url: LIST_URL, isBeside: true });
  }

  override hasKeys(): boolean {
    return !this.editing;
  }

  override canFilter(): boolean {
    return this.hasKeys() && !this.isBulkMode && !(this.isSinglePane && this.id !== undefined);
  }

  /** Follow changes until the returned function is called. */
  override subscribe(): () => void {
    const rest = agents.subscribe();
    const silence = connection.onChange((change) => {
      this.items.handleChange(change);
      this.openMemory.handleChange(change);
      this.counts.handleChange(change);
      if (change !== "resync" && change.topic === "memory" && change.what === "deleted") this.deselect(change.ids);
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

  /** Load the results of the filters of the URL. */
  override load(view: View): void {
    this.selectNone();
    this.job.endCollecting();
    this.#end.abort();
    this.endsAt = undefined;
    this.list?.toTop();
    void this.items.load({ ...filtersOf(view), q: view.q, sort: view.sort, group: view.group }).then(() => {
      // Until the response arrived, rows of the previous query could be selected.
      if (this.selection.rows.size > 0) this.#keepSelected(this.items.rows.map((row) => row.id));
    });
  }

  /** Keep only these selected; returns how many are. */
  #keepSelected(ids: readonly string[]): number {
    this.selection = retain(this.selection, ids);
    return this.selection.rows.size;
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

  override filter(change: Partial<View>): void {
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

  override search(q: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      this.go({ q }, "replace");
    }, TYPING_MS);
  }

  /** Search again with weaker matches; the button that asked for it disappears. */
  async showWeaker(): Promise<void> {
    await this.items.showWeaker();
    flushSync();
    this.catchFocus();
  }

  override open(id: string): void {
    this.active = id;
    if (id !== this.view.id) this.go({ id }, this.view.id === undefined ? "push" : "replace");
    flushSync();
    this.list?.show(id);
    if (this.isSinglePane) this.detail?.focus();
  }

  /** Open a memory linked from the open one; Back returns to it. */
  openFrom(id: string): void {
    this.active = id;
    this.go({ id });
    flushSync();
    this.list?.show(id);
    this.detail?.focus();
  }

  override close(): void {
    this.go({ id: undefined });
    flushSync();
    this.focusList();
  }

  focusList(): void {
    this.list?.move(0);
  }

  /** Recover focus when the focused button of a job disappears. */
  catchFocus(): void {
    if (document.activeElement === document.body) this.focusList();
  }

  override move(by: number): void {
    this.list?.move(by);
    if (this.view.id !== undefined && !this.editing && this.active !== undefined) this.go({ id: this.active }, "replace");
  }

  /** Select all that match, loaded or not. */
  async selectMatching(): Promise<void> {
    const { query, total } = this;
    try {
      const rows = await this.job.collect("Selecting", total, (signal, told) => this.items.collect(signal, told));
      if (rows !== undefined && query === this.query) this.selection = selectAll(rows);
    } catch (thrown) {
      if (!(thrown instanceof DOMException)) reportFailure("Couldn't select all memories", thrown);
    }
  }

  /** The number of matches, if known. */
  get total(): number | undefined {
    if (this.items.isComplete) return this.items.rows.length;
    return this.isFiltered ? this.counts.total : this.items.stored;
  }

  /** Move to the last row, loading all pages first. */
  override async toLast(): Promise<void> {
    if (this.items.isComplete) {
      this.#toLast();
      return;
    }
    this.#end.abort();
    const end = new AbortController();
    this.#end = end;
    this.endsAt = this.total === undefined ? "" : ` of ${this.total.toLocaleString()}`;
    await this.items.toEnd(end.signal);
    if (this.#end !== end) return;
    this.endsAt = undefined;
    flushSync();
    if (!end.signal.aborted) this.#toLast();
  }

  #toLast(): void {
    // Works even if no row is active yet.
    this.list?.focusRow(this.items.rows.length - 1);
    this.move(0);
  }

  /** Cancel one thing for Esc; false if there is nothing to cancel. */
  stop(): boolean {
    if (this.endsAt !== undefined) {
      this.#end.abort();
      this.endsAt = undefined;
    } else if (this.job.working !== undefined) this.job.cancel();
    else if (this.selection.rows.size > 0) this.selectNone();
    else return false;
    return true;
  }

  /** Whether the memory of the URL is loaded; only then it can be edited. */
  get isArrived(): boolean {
    return this.openMemory.row !== undefined && this.openMemory.row.id === this.view.id;
  }

  get selectedCount(): number {
    return this.selection.rows.size;
  }

  selectedRows(): readonly ListRow[] {
    return this.selected;
  }

  rowAt(id: string): ListRow | undefined {
    return this.items.rows.find((row) => row.id === id);
  }

  /** The ID of the target: the open memory, else the focused one. */
  get target(): string | undefined {
    return this.view.id ?? (this.list?.hasFocus() === true ? this.active : undefined);
  }

  forgetting(id: string): () => void {
    const index = this.items.rows.findIndex((row) => row.id === id);
    return () => {
      // Don't move focus if the user moved on in the meantime.
      const isHere = document.activeElement === document.body || this.detail?.hasFocus() === true;
      const { rows } = this.items;
      const next = rows[Math.min(index, rows.length - 1)];
      if (this.view.id === id) this.go({ id: this.isSinglePane ? undefined : next?.id }, "replace");
      flushSync();
      if (isHere && next !== undefined) this.list?.focusRow(rows.indexOf(next));
    };
  }

  recovered(id: string): void {
    this.active = id;
    if (this.view.id === id) void this.openMemory.load();
    else if (this.view.id !== undefined) this.go({ id }, "replace");
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
