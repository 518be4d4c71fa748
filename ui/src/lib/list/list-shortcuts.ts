/** The shortcuts that every list view has: moving, opening, selecting and filtering. */

import type { Shortcut } from "$lib/keys/registry.svelte";

import type { ListPage } from "./list-page.svelte";

interface Row {
  readonly id: string;
}

/**
 * The ids are permanent, as users' own keys are stored by id: `sessions.next`. `selects`: several
 * rows can be selected.
 */
export function listShortcuts<R extends Row, Filters extends object>(page: ListPage<R, Filters>, selects = false): Shortcut[] {
  const { group, items } = page;
  const named = (id: string, keys: readonly string[], label: string, run: () => unknown, applies: () => boolean): Shortcut => ({
    id: `${page.path.slice(1)}.${id}`,
    keys,
    label,
    group,
    when: applies,
    run: () => {
      run();
    },
  });
  const once = (id: string, keys: readonly string[], label: string, run: () => unknown): Shortcut =>
    named(id, keys, label, run, () => items.rows.length > 0 && page.hasKeys());
  const step = (id: string, keys: readonly string[], label: string, run: () => void): Shortcut => ({
    ...once(id, keys, label, run),
    repeats: true,
  });
  return [
    step("next", ["j", "ArrowDown"], "Next", () => {
      page.move(1);
    }),
    step("previous", ["k", "ArrowUp"], "Previous", () => {
      page.move(-1);
    }),
    step("pageDown", ["PageDown"], "Page down", () => {
      page.move(page.list?.page() ?? 1);
    }),
    step("pageUp", ["PageUp"], "Page up", () => {
      page.move(-(page.list?.page() ?? 1));
    }),
    {
      ...once("first", ["Home"], "First", () => {
        page.move(-items.rows.length);
      }),
      weight: -1,
    },
    { ...once("last", ["End"], page.lastLabel, () => page.toLast()), weight: -1 },
    named(
      "open",
      ["Enter"],
      "Open",
      () => {
        if (page.active !== undefined) page.open(page.active);
      },
      () => page.focused !== undefined,
    ),
    ...(selects
      ? [
          once("select", ["x"], "Select or deselect", () => {
            page.toggle();
          }),
          step("selectNext", ["J", "Shift+ArrowDown"], "Select down", () => {
            page.extend(1);
          }),
          step("selectPrevious", ["K", "Shift+ArrowUp"], "Select up", () => {
            page.extend(-1);
          }),
          once("selectLoaded", ["Mod+a"], "Select all loaded", () => {
            page.selectAll();
          }),
        ]
      : []),
    {
      ...named(
        "filter",
        ["f"],
        "Filter",
        () => page.filterBar?.focus(),
        () => page.canFilter(),
      ),
      weight: 2,
    },
    named(
      "unfilter",
      [],
      "Clear all filters",
      () => {
        page.clearFilters();
      },
      () => page.isFiltered,
    ),
  ];
}
