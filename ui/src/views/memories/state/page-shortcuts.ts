/** The shortcuts and commands of the Memories view. */

import { showInConstellation } from "$lib/constellation/show";
import type { Shortcut } from "$lib/keys/registry.svelte";

import { groupedBy, GROUPS, sortedBy, SORTS, type Arrangement } from "../list/arrangement.svelte";
import type { BulkAction } from "$lib/memory/bulk/bulk-actions";
import type { SavedFilter } from "../filter/saved-filters.svelte";
import type { MemoriesPage } from "./memories-page.svelte";

const LIST = "Memories";
const ONE = "Selected memory";
const MANY = "Selected memories";
const ORDER = "Sort and group";

export interface FilterMenus {
  readonly show: (field?: "when") => void;
  readonly showOrders: () => void;
}

export function pageShortcuts(page: MemoriesPage, menus: () => FilterMenus | undefined): Shortcut[] {
  const { items } = page;
  const hasTarget = (): boolean => !page.editing && page.target !== undefined;
  const hasTargets = (): boolean => !page.editing && (page.selection.rows.size > 0 || page.target !== undefined);
  const hasSelected = (): boolean => page.selection.rows.size > 0;
  const many = (id: string, label: string, action: BulkAction, keys: readonly string[] = []): Shortcut => ({
    id: `memories.${id}`,
    keys,
    label,
    group: MANY,
    when: hasTargets,
    run: () => void page.targets.begin(action),
  });
  const arrange = (id: string, label: string, change: (now: Arrangement) => Arrangement): Shortcut => ({
    id: `memories.${id}`,
    keys: [],
    label,
    group: ORDER,
    weight: -1,
    words: "order arrange",
    when: () => !page.editing && !page.isSearch,
    run: () => {
      page.arrange(change(page.view));
    },
  });
  return [
    { id: "memories.days", keys: [], label: "Filter by time", group: LIST, when: () => page.canFilter(), run: () => menus()?.show("when") },
    {
      id: "memories.order",
      keys: ["o"],
      label: "Sort and group",
      group: LIST,
      when: () => page.canFilter() && !page.isSearch,
      run: () => menus()?.showOrders(),
    },
    ...SORTS.map(({ value, label }) => arrange(`sort.${value}`, `Sort: ${label}`, (now) => sortedBy(now, value))),
    ...GROUPS.map(({ value, label }) => arrange(`group.${value}`, `Group: ${label}`, (now) => groupedBy(now, value))),
    {
      id: "memories.saveFilter",
      keys: [],
      label: "Save filter…",
      group: LIST,
      when: () => page.searched !== "",
      run: () => (page.dialog = { kind: "save" }),
    },
    { id: "memories.savedFilters", keys: [], label: "Manage saved filters…", group: LIST, run: () => (page.dialog = { kind: "manage" }) },
    {
      id: "memories.remember",
      keys: ["n"],
      label: "Remember…",
      group: LIST,
      words: "add new save write",
      weight: 3,
      run: () => (page.dialog = { kind: "remember" }),
    },
    {
      id: "memories.selectAll",
      keys: [],
      label: "Select all matching",
      group: LIST,
      when: () => items.rows.length > 0 && page.hasKeys(),
      run: () => void page.selectMatching(),
    },
    {
      id: "memories.stop",
      keys: ["Escape"],
      label: "Clear selection or cancel",
      group: LIST,
      when: () => !page.editing && (hasSelected() || page.endsAt !== undefined || page.job.working !== undefined),
      run: () => {
        page.stop();
      },
    },
    {
      id: "memories.close",
      keys: ["Escape"],
      label: "Close",
      group: LIST,
      when: () => page.view.id !== undefined && !(page.editing && page.isArrived),
      run: () => {
        page.close();
      },
    },
    {
      id: "memories.edit",
      keys: ["e"],
      label: "Edit",
      group: ONE,
      weight: 1,
      when: () => hasTarget() && !hasSelected(),
      run: () => {
        page.edit();
      },
    },
    {
      id: "memories.constellation",
      keys: ["w"],
      label: "Show in constellation",
      group: ONE,
      words: "map similar near cluster where",
      when: () => hasTarget() && !hasSelected(),
      run: () => {
        if (page.target !== undefined) showInConstellation({ m: page.target });
      },
    },
    {
      id: "memories.pin",
      keys: ["p"],
      label: "Pin or unpin",
      group: MANY,
      weight: 2,
      when: hasTargets,
      run: () => {
        page.targets.pin();
      },
    },
    many("tag", "Add or remove tags", "tags", ["t"]),
    many("move", "Move to project", "project", ["m"]),
    many("type", "Change type", "type"),
    many("visibility", "Change visibility", "visibility"),
    {
      id: "memories.forget",
      keys: ["#", "Delete"],
      label: "Forget",
      group: MANY,
      words: "delete remove trash",
      weight: 1,
      when: hasTargets,
      run: () => void page.targets.forget(),
    },
  ];
}

/** One command per saved filter. */
export function savedFilterShortcuts(page: MemoriesPage, all: readonly SavedFilter[]): Shortcut[] {
  return all.map((one) => ({
    id: `memories.saved.${one.name}`,
    keys: [],
    label: `Filter: ${one.name}`,
    group: "Saved filters",
    when: () => page.searched !== one.query,
    run: () => {
      page.goSaved(one.query);
    },
  }));
}
