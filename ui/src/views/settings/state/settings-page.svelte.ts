/** The state of the Settings page: what is shown, which row has the keys, and where they lead. */

import { tick } from "svelte";

import type { SettingRow } from "$lib/api/client";
import { copyText } from "$lib/copy/copy-text";
import { harnesses } from "$lib/connect/harnesses.svelte";
import { flag, urlFilters, words } from "$lib/list/url-filters";
import { settingPath } from "$lib/settings/setting-path";
import { router } from "$lib/state/router.svelte";

import { canReset, entriesOf, find, hasChanged, type Entry } from "$lib/settings/entries";
import { search, type Result } from "$lib/settings/settings-search";
import { SettingsEdits } from "./settings-edits.svelte";
import { SettingsResource } from "$lib/settings/settings-resource.svelte";

interface Filters {
  readonly q: string;
  readonly changed: boolean;
}

const PATH = "/settings";
const URL_FILTERS = urlFilters<Filters>({ q: words, changed: flag });

/** The setting that the address names; undefined for the page itself. */
export function targetOf(path: string): string | undefined {
  const name = path.slice(PATH.length + 1);
  if (name === "") return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export class SettingsPage {
  readonly resource = new SettingsResource();
  readonly edits = new SettingsEdits(
    () => this.resource.value,
    (reply) => {
      this.resource.set(reply);
    },
    (row) => this.nameOf(row),
  );
  /** The pane that scrolls. */
  pane = $state.raw<HTMLElement>();
  searchField = $state.raw<{ select: () => void }>();
  /** The item that has the keys: the key of an entry, or the id of a fact. */
  current = $state<string>();
  /** The group at the top of the pane. */
  group = $state<string>();
  /** Entries whose rows are shown for agents that aren't connected, too. */
  unfolded = $state.raw<ReadonlySet<string>>(new Set());

  readonly target = $derived(targetOf(router.path));
  readonly filters = $derived(URL_FILTERS.read(router.query));
  readonly isFiltered = $derived(URL_FILTERS.isFiltered(this.filters));
  readonly groups = $derived(this.resource.value?.groups ?? []);
  readonly facts = $derived(this.resource.value?.facts ?? []);
  readonly entries = $derived(this.resource.value === undefined ? [] : entriesOf(this.resource.value));
  readonly changed = $derived(this.entries.filter(hasChanged));
  readonly found = $derived.by<readonly Result[]>(() => {
    const { q, changed } = this.filters;
    // A setting that has just been reset stays until the user goes on.
    const entries = changed ? this.entries.filter((entry) => hasChanged(entry) || entry.key === this.current) : this.entries;
    if (q.trim() === "") return entries.map((entry) => ({ entry }));
    return search(q, entries, changed ? [] : this.facts);
  });
  /** Why nothing can be changed; empty if it can be. */
  readonly blocked = $derived.by(() => {
    const file = this.resource.value?.file;
    if (file === undefined) return "";
    if (file.problem !== null)
      return "agent.yaml can't be read. Until you fix it, the last valid settings apply and nothing can be changed here.";
    return file.writable ? "" : "agent.yaml can't be written: the file or its folder is read-only.";
  });

  /** What messages call a setting. */
  nameOf(row: SettingRow): string {
    return row.harness === null ? row.label : `${row.label} (${this.agentOf(row)})`;
  }

  /** The name of a row's agent. */
  agentOf({ harness }: SettingRow): string {
    return harnesses.value?.find(({ id }) => id === harness)?.name ?? harness ?? "";
  }

  /** The rows of an entry that are shown: of connected agents, changed ones, and the one that a link names. */
  rowsOf(entry: Entry): readonly SettingRow[] {
    const connected = new Set(
      harnesses.value?.filter(({ connection }) => connection === "connected" || connection === "partly").map(({ id }) => id),
    );
    if (!entry.isByAgent || connected.size === 0 || this.unfolded.has(entry.key)) return entry.rows;
    return entry.rows.filter((row) => connected.has(row.harness ?? "") || row.origin !== "default" || row.key === this.target);
  }

  unfold(entry: Entry): void {
    this.unfolded = new Set([...this.unfolded, entry.key]);
  }

  filterBy(change: Partial<Filters>): void {
    if (change.changed !== undefined) this.current = undefined;
    // At every keystroke; what a link named isn't looked for any more.
    router.go(PATH, URL_FILTERS.write({ ...this.filters, ...change }), "replace");
    this.pane?.scrollTo({ top: 0 });
  }

  // --- trying values ----------------------------------------------------------------------------------

  get #rows(): readonly SettingRow[] {
    return this.resource.value?.settings ?? [];
  }

  readonly tried = $derived(this.edits.tried(this.#rows));
  readonly triedValues = $derived(Object.fromEntries(this.tried.map(({ row, value }) => [row.key, value])));

  /** Begin to try values, or stop and discard them. */
  toggleTrial(): void {
    this.edits.try(!this.edits.isTrying);
    // The pane has less room, or more.
    void tick().then(() => this.#itemOf(this.current)?.scrollIntoView({ block: "nearest" }));
  }

  saveTried(): void {
    void this.edits.saveTried(this.#rows);
  }

  // --- the items, in the order in which they are shown ---------------------------------------------

  #items(): readonly HTMLElement[] {
    return [...(this.pane?.querySelectorAll<HTMLElement>("[data-item]") ?? [])];
  }

  #itemOf(id: string | undefined): HTMLElement | undefined {
    return this.#items().find((item) => item.dataset.item === id);
  }

  /** Move by so many items; from a heading to the item beside it, from nowhere to the first. */
  move(by: 1 | -1): void {
    const items = this.#items();
    const at = items.findIndex((item) => item.dataset.item === this.current);
    if (at >= 0) focusItem(items[Math.max(0, Math.min(items.length - 1, at + by))]);
    else focusItem(this.#besideFocus(items, by) ?? items[0]);
  }

  #besideFocus(items: readonly HTMLElement[], by: 1 | -1): HTMLElement | undefined {
    const focused = document.activeElement;
    if (focused === null || focused === this.pane || this.pane?.contains(focused) !== true) return undefined;
    const side = by === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const there = items.filter((item) => (focused.compareDocumentPosition(item) & side) !== 0);
    return by === 1 ? there[0] : there.at(-1);
  }

  /** Move to the first item. */
  enter(): void {
    focusItem(this.#items()[0]);
  }

  get entry(): Entry | undefined {
    return this.entries.find(({ key }) => key === this.current);
  }

  /** The row that has the focus, of an entry with several the first. */
  get row(): SettingRow | undefined {
    const focused = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
    return this.entry?.rows.find(({ key }) => key === focused) ?? (this.entry && this.rowsOf(this.entry)[0]);
  }

  get isOnItem(): boolean {
    return this.current !== undefined && document.activeElement === this.#itemOf(this.current);
  }

  get isInItem(): boolean {
    const item = this.#itemOf(this.current);
    return item !== undefined && item !== document.activeElement && item.contains(document.activeElement);
  }

  /** Go from the row to its control; of a fact, to its button. */
  edit(): void {
    this.#itemOf(this.current)?.querySelector<HTMLElement>("[data-control]:not(:disabled)")?.focus();
  }

  /** Go from a control to its row, else clear the filters. */
  back(): void {
    if (this.isInItem) focusItem(this.#itemOf(this.current));
    else if (this.isFiltered || this.target !== undefined) this.filterBy(URL_FILTERS.none);
  }

  get canResetRow(): boolean {
    return this.row !== undefined && canReset(this.row) && this.blocked === "";
  }

  resetRow(): void {
    const { row } = this;
    if (row !== undefined) this.reset(row);
  }

  reset(row: SettingRow): void {
    // The button that was pressed goes.
    if (document.activeElement instanceof HTMLButtonElement && this.isInItem) focusItem(this.#itemOf(this.current));
    this.edits.revert(row);
    void this.edits.change(row, null);
  }

  copyKey(): void {
    const { row } = this;
    if (row !== undefined) void copyText(row.key, "Copied the key.");
  }

  copyLink(): void {
    if (this.entry !== undefined) void copyText(location.origin + this.pathOf(this.entry), "Copied the link.");
  }

  // --- groups ---------------------------------------------------------------------------------------

  #headings(): readonly HTMLElement[] {
    return [...(this.pane?.querySelectorAll<HTMLElement>("[data-group]") ?? [])];
  }

  /** Where the pane stood when an item was shown, and that item's group. */
  #held: { readonly top: number; readonly group: string | undefined } | undefined;

  /** Name the group of an item in the list of groups, until the user scrolls. */
  #hold(item: HTMLElement): void {
    this.#held = { top: this.pane?.scrollTop ?? 0, group: item.closest<HTMLElement>("[data-group]")?.dataset.group };
    this.updateGroup();
  }

  /** Note the group at the top, or that of the item just shown, for the list of groups. */
  updateGroup(): void {
    const { pane } = this;
    if (pane === undefined) return;
    if (this.#held?.group !== undefined && this.#held.top === pane.scrollTop) {
      this.group = this.#held.group;
      return;
    }
    this.#held = undefined;
    const line = pane.getBoundingClientRect().top + 80;
    const headings = this.#headings();
    const above = headings.filter((heading) => heading.getBoundingClientRect().top <= line);
    const isEnd = pane.scrollTop > 0 && pane.scrollTop + pane.clientHeight >= pane.scrollHeight - 2;
    this.group = (isEnd ? headings : above).at(-1)?.dataset.group ?? headings[0]?.dataset.group;
  }

  /** Go to a group, of all settings. */
  async showGroup(name: string): Promise<void> {
    if (this.isFiltered) this.filterBy(URL_FILTERS.none);
    await tick();
    const heading = this.#headings().find((one) => one.dataset.group === name);
    heading?.scrollIntoView({ block: "start" });
    heading?.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    this.current = undefined;
    this.group = name;
  }

  turn(by: 1 | -1): void {
    const at = this.groups.indexOf(this.group ?? "");
    const next = this.groups[Math.max(0, Math.min(this.groups.length - 1, at + by))];
    if (next !== undefined) void this.showGroup(next);
  }

  // --- links to a row -------------------------------------------------------------------------------

  /** Whether the address names something that isn't here. */
  readonly isLost = $derived(
    this.target !== undefined && this.entries.length > 0 && !this.#knows(this.target) && !this.groups.includes(this.target),
  );

  #knows(target: string): boolean {
    return find(this.entries, target) !== undefined || this.facts.some(({ id }) => id === target);
  }

  /** Scroll to what the address names, and focus its control. */
  async reveal(target: string): Promise<void> {
    await tick();
    const found = find(this.entries, target);
    const item = this.#itemOf(found?.entry.key ?? `fact:${target}`);
    if (item === undefined) return;
    item.scrollIntoView({ block: "center" });
    const row = item.querySelector(`[data-row="${CSS.escape(found?.row.key ?? "")}"]`) ?? item;
    const control = row.querySelector<HTMLElement>("[data-control]:not(:disabled)");
    (control ?? item).focus({ preventScroll: true });
    this.#hold(item);
  }

  /** The path of a row, for its link. */
  pathOf(entry: Entry): string {
    return settingPath(entry.key);
  }
}

function focusItem(item: HTMLElement | undefined): void {
  item?.focus({ preventScroll: true });
  item?.scrollIntoView({ block: "nearest" });
}
