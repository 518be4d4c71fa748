/** The state of a list view: its filters, kept in the URL, and the current, selected and open rows. */

import type { ApiError } from "$lib/api/errors";
import {
  EMPTY_SELECTION,
  select,
  selectAll,
  selectedRows,
  without,
  type Selection,
  type SelectionMode,
} from "$lib/components/list/selection";
import type { Phase } from "$lib/state/resource.svelte";
import { router } from "$lib/state/router.svelte";

import type { UrlFilters } from "./url-filters";

const TYPING_MS = 120;

interface Row {
  readonly id: string;
}

interface Subscribable {
  readonly subscribe: () => () => void;
}

/** The rows of a list, such as a `PagedList`. */
export interface ListRows<R extends Row, Filters> extends Subscribable {
  readonly rows: readonly R[];
  readonly phase: Phase;
  readonly error: ApiError | undefined;
  readonly isBusy: boolean;
  /** Whether all matching rows are loaded; if not, why the next page couldn't be. */
  readonly isComplete: boolean;
  readonly moreError: ApiError | undefined;
  /** The filters of the next read, and those of the rows. */
  readonly params: unknown;
  readonly loadedParams: unknown;
  visibleRows: number;
  readonly more: () => Promise<unknown>;
  readonly retryMore: () => Promise<unknown>;
  readonly reload: (filters?: Filters) => Promise<unknown>;
  readonly ask: (filters: Filters, ms: number) => void;
}

/** The rendered list: a `VirtualList`. */
export interface ListHandle {
  readonly focusRow: (index: number) => void;
  readonly show: (id: string) => void;
  readonly hasFocus: () => boolean;
  readonly page: () => number;
  readonly move: (by: number) => void;
  readonly toTop: () => void;
}

interface Definition<R extends Row, Filters> {
  /** The path of the view, such as `/sessions`; its name begins the ids of the view's shortcuts. */
  readonly path: string;
  /** The section of its shortcuts in the shortcut help. */
  readonly group: string;
  readonly items: ListRows<R, Filters>;
  readonly url: Pick<UrlFilters<Filters>, "read" | "write" | "isFiltered" | "cleared">;
  /** The details of a row stand beside the list; otherwise the page of a row replaces it. */
  readonly isBeside?: boolean;
  /** What else the list shows, kept current with it. */
  readonly also?: readonly Subscribable[];
}

/** The id in a path below the list's; undefined for none. */
function idIn(base: string, path: string): string | undefined {
  const part = path.startsWith(`${base}/`) ? path.slice(base.length + 1) : "";
  try {
    return part === "" ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

const wordsOf = (filters: unknown): unknown => (typeof filters === "object" && filters !== null && "q" in filters ? filters.q : undefined);

export class ListPage<R extends Row, Filters extends object> {
  readonly path: string;
  readonly group: string;
  readonly items: ListRows<R, Filters>;
  readonly url: Definition<R, Filters>["url"];
  readonly #isBeside: boolean;
  readonly #also: readonly Subscribable[];
  /** The filters of the list while the page of a row replaces it. */
  #kept: string | undefined;

  /** The id of the open row in the path. */
  readonly id = $derived.by(() => idIn(this.path, router.path));
  /** The filters as text: equal filters are the same. */
  readonly query = $derived.by(() => {
    if (this.#isBeside || this.id === undefined || this.#kept === undefined)
      this.#kept = this.url.write(this.url.read(router.query)).toString();
    return this.#kept;
  });
  readonly filters: Filters = $derived.by(() => this.url.read(new URLSearchParams(this.query)));
  readonly isFiltered = $derived.by(() => this.url.isFiltered(this.filters));
  /** The current row of the list. */
  active = $state<string>();
  selection = $state.raw<Selection<R>>(EMPTY_SELECTION);
  /** The list is shown again after the page of a row was. */
  isReturning = false;
  /** Whether there is room for one pane only. */
  isSinglePane = $state(false);
  /** Set while the list is rendered. */
  list: ListHandle | undefined;
  filterBar: { readonly focus: () => void } | undefined;
  /** The label of the key that moves to the last row. */
  readonly lastLabel: string = "Last loaded";
  #wasLoaded = false;

  constructor({ path, group, items, url, isBeside = false, also = [] }: Definition<R, Filters>) {
    this.path = path;
    this.group = group;
    this.items = items;
    this.url = url;
    this.#isBeside = isBeside;
    this.#also = also;
  }

  /** The rows as they are listed: all that are loaded, unless some are collapsed. */
  get listed(): readonly R[] {
    return this.items.rows;
  }

  /** Whether the list has nothing to show. */
  get isEmpty(): boolean {
    return this.items.rows.length === 0 && this.items.isComplete;
  }

  /** The row that is marked as open. */
  get openId(): string | undefined {
    return this.id;
  }

  /** The pane that is shown if there is room for one only. */
  get front(): "first" | "second" {
    return this.id === undefined ? "first" : "second";
  }

  /** False while keys belong to something else, such as an editor. */
  hasKeys(): boolean {
    return true;
  }

  canFilter(): boolean {
    return this.hasKeys();
  }

  /** Keep the rows current until the returned function is called. */
  subscribe(): () => void {
    const rests = [this.items, ...this.#also].map((one) => one.subscribe());
    return () => {
      for (const rest of rests) rest();
    };
  }

  load(filters: Filters): void {
    const { items } = this;
    if (filters === items.loadedParams) return;
    this.list?.toTop();
    this.selection = EMPTY_SELECTION;
    // Opened before its search had ended, a row is the current one still.
    if (!this.isReturning) this.active = undefined;
    const isTyped = this.#wasLoaded && items.phase === "ready" && wordsOf(filters) !== wordsOf(items.params);
    this.#wasLoaded = true;
    // While the user types, the former results stay until the next ones are there.
    if (isTyped) items.ask(filters, TYPING_MS);
    else void items.reload(filters);
  }

  filter(change: Partial<Filters>): void {
    const isTyped = wordsOf(change) !== undefined;
    router.go(this.path, this.url.write({ ...this.filters, ...change }), isTyped ? "replace" : "push");
  }

  /** Filter by words, if the filters have a `q`. */
  search(q: string): void {
    this.filter({ q } as unknown as Partial<Filters>);
  }

  clearFilters(): void {
    this.filter(this.url.cleared);
  }

  open(id: string): unknown {
    this.active = id;
    return router.go(`${this.path}/${encodeURIComponent(id)}`);
  }

  /** Show the list again, as it was. */
  close(): void {
    router.go(this.path, new URLSearchParams(this.query));
  }

  /** The row that has the focus. */
  get focused(): R | undefined {
    return this.list?.hasFocus() === true ? this.items.rows.find(({ id }) => id === this.active) : undefined;
  }

  /** The rows have changed. */
  follow?(rows: readonly R[]): void;

  /** The focus has moved to a row. */
  onFocused(id: string): void {
    this.active = id;
  }

  move(by: number): void {
    this.list?.move(by);
  }

  toLast(): unknown {
    this.move(this.items.rows.length);
    return undefined;
  }

  select(id: string, how: SelectionMode): void {
    this.selection = select(this.selection, id, how, this.listed, this.id ?? this.active);
    this.onFocused(id);
  }

  toggle(): void {
    const id = (this.items.rows.find((row) => row.id === this.active) ?? this.items.rows[0])?.id;
    if (id !== undefined) this.select(id, "toggle");
  }

  /** Move and extend the selection. */
  extend(by: number): void {
    const from = this.active;
    this.list?.move(by);
    if (this.active !== undefined) this.selection = select(this.selection, this.active, "range", this.listed, from);
  }

  selectAll(): void {
    this.selection = selectAll(this.items.rows);
  }

  deselect(ids: Iterable<string>): void {
    this.selection = without(this.selection, ids);
  }

  selectNone(): void {
    this.selection = EMPTY_SELECTION;
  }

  /** The selected rows, each as currently listed. */
  get selected(): readonly R[] {
    return selectedRows(this.selection, this.items.rows);
  }
}
