/** The shortcuts and commands of the Memories view. */

import type { Shortcut } from "$lib/keys/registry.svelte";

import { groupedBy, GROUPS, sortedBy, SORTS, type Arrangement } from "../list/arrangement.svelte";
import type { BulkAction } from "../bulk/bulk-actions";
import type { SavedFilter } from "../filter/saved-filters.svelte";
import type { MemoriesPage } from "./memories-page.svelte";

const LIST = "Memories";
const ONE = "Selected memory";
const MANY = "Selected memories";

export interface PageFocus {
  focusSearch: () => void;
  showFilters: (field?: "when") => void;
  showOrders: () => void;
}

export function pageShortcuts(page: MemoriesPage, focus: PageFocus): Shortcut[] {
  const { list, selection } = page;
  const hasRows = (): boolean => list.rows.length > 0 && !page.editing;
  const hasTarget = (): boolean => !page.editing && page.target !== undefined;
  const hasTargets = (): boolean => !page.editing && (selection.count > 0 || page.target !== undefined);
  const hasFilters = (): boolean => !page.editing && !page.isBulkMode && !(page.isSinglePane && page.view.id !== undefined);
  const hasSelected = (): boolean => selection.count > 0;
  const many = (id: string, label: string, action: BulkAction, keys: readonly string[] = []): Shortcut => ({
    id: `memories.${id}`,
    keys,
    label,
    group: MANY,
    when: hasTargets,
    run: () => void page.targets.begin(action),
  });
  const walk = (id: string, keys: readonly string[], label: string, run: () => void, repeats = true): Shortcut => ({
    id: `memories.${id}`,
    keys,
    label,
    group: LIST,
    when: hasRows,
    repeats,
    run,
  });
  const arrange = (id: string, label: string, change: (now: Arrangement) => Arrangement): Shortcut => ({
    id: `memories.${id}`,
    keys: [],
    label,
    group: LIST,
    when: () => !page.editing && !page.isSearch,
    run: () => { page.arrange(change(page.view)); },
  });
  return [
    { id: "memories.search", keys: ["/"], label: "Search", group: LIST, run: () => { focus.focusSearch(); } },
    { id: "memories.filter", keys: ["f"], label: "Filter", group: LIST, when: hasFilters, run: () => { focus.showFilters(); } },
    { id: "memories.days", keys: [], label: "Filter by time", group: LIST, when: hasFilters, run: () => { focus.showFilters("when"); } },
    { id: "memories.unfilter", keys: [], label: "Clear all filters", group: LIST, when: () => page.isFiltered, run: () => { page.clear(); } },
    { id: "memories.order", keys: ["o"], label: "Sort and group", group: LIST, when: () => hasFilters() && !page.isSearch, run: () => { focus.showOrders(); } },
    ...SORTS.map(({ value, label }) => arrange(`sort.${value}`, `Sort: ${label}`, (now) => sortedBy(now, value))),
    ...GROUPS.map(({ value, label }) => arrange(`group.${value}`, `Group: ${label}`, (now) => groupedBy(now, value))),
    { id: "memories.saveFilter", keys: [], label: "Save filter…", group: LIST, when: () => page.query !== "", run: () => (page.dialog = { kind: "save" }) },
    { id: "memories.savedFilters", keys: [], label: "Manage saved filters…", group: LIST, run: () => (page.dialog = { kind: "manage" }) },
    { id: "memories.remember", keys: ["n"], label: "Remember…", group: LIST, run: () => (page.dialog = { kind: "remember" }) },
    walk("next", ["j", "ArrowDown"], "Next", () => { page.move(1); }),
    walk("previous", ["k", "ArrowUp"], "Previous", () => { page.move(-1); }),
    walk("pageDown", ["PageDown"], "Page down", () => { page.move(page.rows?.page() ?? 1); }),
    walk("pageUp", ["PageUp"], "Page up", () => { page.move(-(page.rows?.page() ?? 1)); }),
    walk("first", ["Home"], "First", () => { page.move(-list.rows.length); }, false),
    walk("last", ["End"], "Last", () => void page.toEnd(), false),
    { id: "memories.open", keys: ["Enter"], label: "Open", group: LIST, when: () => page.rows?.hasFocus() === true, run: () => { if (page.active !== undefined) page.open(page.active); } },
    walk("select", ["x"], "Select or deselect", () => { page.toggle(); }, false),
    walk("selectNext", ["J", "Shift+ArrowDown"], "Select down", () => { page.extend(1); }),
    walk("selectPrevious", ["K", "Shift+ArrowUp"], "Select up", () => { page.extend(-1); }),
    walk("selectLoaded", ["Mod+a"], "Select all loaded", () => { selection.take(list.rows); }, false),
    { id: "memories.selectAll", keys: [], label: "Select all matching", group: LIST, when: hasRows, run: () => void page.selectAll() },
    {
      id: "memories.stop",
      keys: ["Escape"],
      label: "Clear selection or cancel",
      group: LIST,
      when: () => !page.editing && (hasSelected() || page.endsAt !== undefined || page.job.working !== undefined),
      run: () => { page.stop(); },
    },
    { id: "memories.close", keys: ["Escape"], label: "Close", group: LIST, when: () => page.view.id !== undefined && !(page.editing && page.isArrived), run: () => { page.close(); } },
    { id: "memories.edit", keys: ["e"], label: "Edit", group: ONE, when: () => hasTarget() && !hasSelected(), run: () => { page.edit(); } },
    { id: "memories.pin", keys: ["p"], label: "Pin or unpin", group: MANY, when: hasTargets, run: () => { page.targets.pin(); } },
    many("tag", "Add or remove tags", "tags", ["t"]),
    many("move", "Move to project", "project", ["m"]),
    many("type", "Change type", "type"),
    many("visibility", "Change visibility", "visibility"),
    { id: "memories.forget", keys: ["#", "Delete"], label: "Forget", group: MANY, when: hasTargets, run: () => void page.targets.forget() },
  ];
}

/** One command per saved filter. */
export function savedFilterShortcuts(page: MemoriesPage, all: readonly SavedFilter[]): Shortcut[] {
  return all.map((one) => ({
    id: `memories.saved.${one.name}`,
    keys: [],
    label: `Filter: ${one.name}`,
    group: "Saved filters",
    when: () => page.query !== one.query,
    run: () => { page.goSaved(one.query); },
  }));
}
