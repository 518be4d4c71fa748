/** The shortcuts of the Settings page. */

import type { Shortcut } from "$lib/keys/registry.svelte";

import type { SettingsPage } from "./settings-page.svelte";

const GROUP = "Settings";
const SELECTED = "Selected setting";

export function settingsShortcuts(page: SettingsPage): Shortcut[] {
  const hasItems = (): boolean => page.found.length > 0;
  const move = (id: string, keys: readonly string[], label: string, by: 1 | -1): Shortcut => ({
    id: `settings.${id}`,
    keys,
    label,
    group: GROUP,
    repeats: true,
    when: hasItems,
    run: () => {
      page.move(by);
    },
  });
  return [
    {
      id: "settings.search",
      keys: ["/"],
      label: "Search settings",
      group: GROUP,
      run: () => {
        page.searchField?.select();
      },
    },
    move("next", ["j", "ArrowDown"], "Next setting", 1),
    move("previous", ["k", "ArrowUp"], "Previous setting", -1),
    {
      id: "settings.previousGroup",
      keys: ["["],
      label: "Previous group",
      group: GROUP,
      run: () => {
        page.turn(-1);
      },
    },
    {
      id: "settings.nextGroup",
      keys: ["]"],
      label: "Next group",
      group: GROUP,
      run: () => {
        page.turn(1);
      },
    },
    {
      id: "settings.changed",
      keys: ["f"],
      label: "Show only settings that are changed",
      group: GROUP,
      words: "filter default modified",
      run: () => {
        page.filterBy({ changed: !page.filters.changed });
      },
    },
    {
      id: "settings.try",
      keys: ["t"],
      label: "Try values: see what agents would be told",
      group: GROUP,
      words: "simulator preview what if",
      run: () => {
        page.toggleTrial();
      },
    },
    {
      id: "settings.saveTried",
      keys: ["Mod+Enter"],
      label: "Save the values that are tried",
      group: GROUP,
      inInputs: true,
      when: () => page.tried.length > 0 && page.edits.isTrying,
      run: () => {
        page.saveTried();
      },
    },
    {
      id: "settings.edit",
      keys: ["Enter"],
      label: "Go to its control",
      group: SELECTED,
      when: () => page.isOnItem,
      run: () => {
        page.edit();
      },
    },
    {
      id: "settings.reset",
      keys: ["r"],
      label: "Reset to default",
      group: SELECTED,
      when: () => page.canResetRow,
      run: () => {
        page.resetRow();
      },
    },
    {
      id: "settings.copyKey",
      keys: ["c"],
      label: "Copy its key",
      group: SELECTED,
      when: () => page.row !== undefined,
      run: () => {
        page.copyKey();
      },
    },
    {
      id: "settings.copyLink",
      keys: ["l"],
      label: "Copy a link to it",
      group: SELECTED,
      when: () => page.entry !== undefined,
      run: () => {
        page.copyLink();
      },
    },
    {
      id: "settings.back",
      keys: ["Escape"],
      label: "Back",
      group: GROUP,
      when: () => page.isInItem || page.isFiltered || page.target !== undefined,
      run: () => {
        page.back();
      },
    },
  ];
}
