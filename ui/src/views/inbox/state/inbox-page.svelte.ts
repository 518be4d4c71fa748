/** The state of the Inbox view: the current item, the selection and the draft, independent of their rendering. */

import { flushSync, tick } from "svelte";

import { api, type InboxRow } from "$lib/api/client";
import { selectAll, type SelectionMode } from "$lib/components/list/selection";
import { now } from "$lib/components/time/now.svelte";
import { ListPage } from "$lib/list/list-page.svelte";
import { rowInPlace } from "$lib/list/row-in-place";
import { Projects } from "$lib/memory/remember/projects.svelte";
import { lineOf } from "$lib/memory/rows";
import { router } from "$lib/state/router.svelte";

import type { Choice } from "../kinds/kind";

import { CollapsedSessions } from "./collapsed-sessions.svelte";
import { Decisions, reportFailure } from "./decisions";
import { INBOX_URL, type InboxFilters } from "./inbox-filters";
import { canCollapse, groupsOf, headingsOf, listedOf, ofSameSession, type SessionGroup } from "./inbox-groups";
import { InboxItems } from "./inbox-items.svelte";
import type { PaneHandle } from "./page-handles";
import { SuggestionDraft } from "./suggestion-draft.svelte";

const TYPING_MS = 120;

export class InboxPage extends ListPage<InboxRow, InboxFilters> {
  declare readonly items: InboxItems;
  readonly projects: Projects;
  readonly decisions = new Decisions(this);
  draft = $state.raw<SuggestionDraft>();
  /** Whether the item is shown, where there is room for one pane only. */
  isReading = $state(false);
  /** A bulk decision is being carried out. */
  isWorking = $state(false);
  /** Said to screen readers. */
  announcement = $state("");
  /** The current item; while one is edited, that one, even if it was decided on elsewhere. */
  readonly current = $derived.by(() => this.draft?.item ?? this.items.rows.find(({ id }) => id === this.active) ?? this.items.rows[0]);
  readonly collapsed = new CollapsedSessions();
  /** The items by session; none if nothing comes from one. */
  readonly groups = $derived.by(() => groupsOf(this.items.rows));
  readonly #listed = $derived.by(() =>
    this.groups.length === 0 ? this.items.rows : listedOf(this.groups, (key) => this.collapsed.has(key)),
  );
  /** The sessions of the items. */
  readonly headings = $derived.by(() => headingsOf(this.groups, now(), (key) => this.collapsed.has(key), this.selection.rows));
  pane: PaneHandle | undefined;
  element: HTMLElement | undefined;
  /** The item that the URL names, until it is listed. */
  #wanted: string | undefined;
  /** The import that the items were filtered by before. */
  #import: string | undefined;
  /** The rows before the last change, for when the active one goes away. */
  #previous: readonly InboxRow[] = [];

  constructor() {
    const projects = new Projects();
    super({ path: "/inbox", group: "Inbox", items: new InboxItems(), url: INBOX_URL, isBeside: true, also: [projects] });
    this.projects = projects;
  }

  override get listed(): readonly InboxRow[] {
    return this.#listed;
  }

  override get isEmpty(): boolean {
    return super.isEmpty && this.draft === undefined;
  }

  override get openId(): string | undefined {
    return this.isSinglePane ? undefined : this.current?.id;
  }

  override get front(): "first" | "second" {
    return this.isReading ? "second" : "first";
  }

  override hasKeys(): boolean {
    return this.draft === undefined;
  }

  /** Load the items of the filters, and open the one that the URL names. */
  override load(filters: InboxFilters): void {
    this.selectNone();
    this.active = undefined;
    // An import may have left hundreds: what is seen first is from which sessions they are.
    if (filters.import !== this.#import) this.collapsed.setAll(filters.import !== undefined);
    this.#import = filters.import;
    this.#wanted = router.query.get("item") ?? undefined;
    this.isReading = false;
    this.#previous = [];
    this.list?.toTop();
    const { params, phase } = this.items;
    // While the user types, the former results stay until the next ones are there.
    if (phase === "ready" && params?.q !== filters.q) this.items.ask(filters, TYPING_MS);
    else void this.items.reload(filters);
  }

  /** Keep the place in the list: where the active item went away, the next one takes its place. */
  override follow(rows: readonly InboxRow[]): void {
    const wanted = rows.find(({ id }) => id === this.#wanted)?.id;
    if (wanted !== undefined) {
      this.#wanted = undefined;
      this.active = wanted;
      this.isReading = true;
      this.#expandFor(wanted);
      void tick().then(() => {
        this.list?.show(wanted);
      });
    }
    this.active = rowInPlace(this.active, this.#previous, rows)?.id;
    this.#previous = rows;
    if (rows.length === 0) this.isReading = false;
    if (!this.items.isComplete) return;
    const known = new Set(rows.map(({ id }) => id));
    this.deselect([...this.selection.rows.keys()].filter((id) => !known.has(id)));
  }

  /** The selected items, else the current one. */
  get targets(): readonly InboxRow[] {
    if (this.selection.rows.size > 0) return this.selected;
    return this.current === undefined ? [] : [this.current];
  }

  /** Select all items of the current one's session. */
  selectSession(): void {
    const ids = new Set(ofSameSession(this.items.rows, this.current?.id));
    const rows = this.items.rows.filter(({ id }) => ids.has(id));
    if (rows.length > 0) this.selection = selectAll(rows);
  }

  /** The group of an item; the current one's without an id. */
  groupOf(id = this.current?.id): SessionGroup<InboxRow> | undefined {
    return this.groups.find(({ rows }) => rows.some((row) => row.id === id));
  }

  /** Collapse the session of an item, or expand it. */
  collapse(group: SessionGroup<InboxRow> | undefined, isCollapsed: boolean): void {
    if (group === undefined || !canCollapse(group)) return;
    this.collapsed.set(group.key, isCollapsed);
    this.#stayListed();
  }

  collapseAll(isCollapsed: boolean): void {
    this.collapsed.setAll(isCollapsed);
    this.#stayListed();
  }

  /** Select all items of a group, or none of them if all are. */
  toggleGroup({ rows }: SessionGroup<InboxRow>): void {
    const selected = new Map(this.selection.rows);
    const isOff = rows.every(({ id }) => selected.has(id));
    for (const row of rows) {
      if (isOff) selected.delete(row.id);
      else selected.set(row.id, row);
    }
    this.selection = selectAll([...selected.values()]);
  }

  /** A collapsed group is selected as a whole. */
  override select(id: string, how: SelectionMode): void {
    const group = this.groupOf(id);
    if (how === "toggle" && group !== undefined && this.#isCollapsed(group)) {
      this.toggleGroup(group);
      this.onFocused(id);
      return;
    }
    super.select(id, how);
    this.#selectCollapsed();
  }

  override extend(by: number): void {
    super.extend(by);
    this.#selectCollapsed();
  }

  #isCollapsed(group: SessionGroup<InboxRow>): boolean {
    return canCollapse(group) && this.collapsed.has(group.key);
  }

  /** With the row that stands for a collapsed group, the others are selected. */
  #selectCollapsed(): void {
    const { rows } = this.selection;
    const more = this.groups.filter((group) => this.#isCollapsed(group) && group.rows[0] !== undefined && rows.has(group.rows[0].id));
    if (more.length === 0) return;
    const all = new Map(rows);
    for (const row of more.flatMap((group) => group.rows)) all.set(row.id, row);
    this.selection = { ...this.selection, rows: all };
  }

  #expandFor(id: string): void {
    const group = this.groupOf(id);
    if (group !== undefined && group.rows[0]?.id !== id) this.collapsed.set(group.key, false);
  }

  /** If the current item is hidden now, the one that stands for it takes its place, and the keyboard stays in the list. */
  #stayListed(): void {
    const hadFocus = this.list?.hasFocus() === true;
    const { current } = this;
    if (current !== undefined && !this.listed.some(({ id }) => id === current.id)) this.active = this.groupOf(current.id)?.rows[0]?.id;
    flushSync();
    if (hadFocus) this.list?.focusRow(this.#index);
  }

  /** Make an item the current one and show it; false if unsaved changes would be lost. */
  override open(id: string): boolean {
    if (!this.endEdit()) return false;
    this.active = id;
    this.isReading = true;
    flushSync();
    this.list?.show(id);
    if (this.isSinglePane) this.pane?.focus();
    return true;
  }

  get #index(): number {
    return Math.max(
      0,
      this.listed.findIndex(({ id }) => id === this.active),
    );
  }

  /** The list has moved the focus to an item. */
  override onFocused(id: string): void {
    if (this.draft === undefined) this.active = id;
  }

  /** Show the list again, where there is room for one pane only. */
  override close(): void {
    this.isReading = false;
    flushSync();
    this.list?.move(0);
  }

  override move(by: number): void {
    if (!this.isReading || !this.isSinglePane) {
      this.list?.move(by);
      return;
    }
    const rows = this.listed;
    const next = rows[Math.max(0, Math.min(rows.length - 1, this.#index + by))];
    if (next !== undefined) this.open(next.id);
  }

  /** Edit the current item, or its newest memory, before it is decided on as chosen. */
  async edit(choice: Choice): Promise<void> {
    const item = this.current;
    if (item?.status !== "open" || this.draft !== undefined) return;
    if (choice.edits === "item") {
      this.draft = new SuggestionDraft(item, choice);
    } else {
      const newer = item.memories.at(-1);
      if (newer === undefined) return;
      try {
        const memory = await api.memory(newer.id);
        if (this.current === item) this.draft = new SuggestionDraft(item, choice, memory);
      } catch (thrown) {
        reportFailure("Couldn't load the memory", thrown);
      }
    }
    if (this.draft !== undefined) this.isReading = true;
  }

  /** End editing; with unsaved changes, the first attempt only warns. True if nothing is edited any more. */
  endEdit(): boolean {
    const { draft } = this;
    if (draft === undefined) return true;
    if (draft.saving) return false;
    if (draft.isDirty && !draft.isWarned) {
      draft.isWarned = true;
      return false;
    }
    this.discard();
    return true;
  }

  discard(): void {
    this.draft = undefined;
    flushSync();
    this.returnFocus();
  }

  /** After items went away, show and announce the next one, and keep the keyboard there. */
  moveOn(): void {
    this.follow(this.items.rows);
    const { current } = this;
    this.announcement = current === undefined ? "No items left in this list." : `Next: ${lineOf(current.content)}`;
    flushSync();
    this.returnFocus();
  }

  /** Move focus to the current row, unless it is elsewhere by the user's choice. */
  returnFocus(): void {
    const at = document.activeElement;
    // The heading has it after the view was opened by a key.
    const isFree = at === document.body || at === null || at === this.element || at.localName === "h1";
    if (!isFree && this.list?.hasFocus() !== true) return;
    if (this.current === undefined) this.element?.focus();
    else if (this.isSinglePane && this.isReading) this.pane?.focus();
    else this.list?.focusRow(this.#index);
  }
}
