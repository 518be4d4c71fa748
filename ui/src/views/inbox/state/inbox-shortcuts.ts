/** The shortcuts and commands of the Inbox view. */

import { definedOnly } from "$lib/api/http";
import type { Shortcut } from "$lib/keys/registry.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import type { Choice, Kind } from "../kinds/kind";
import { BULKS, bulksFor, KINDS, type Bulk } from "../kinds/registry";

import { canCollapse } from "./inbox-groups";
import type { InboxPage } from "./inbox-page.svelte";
import { canUndo } from "./inbox-text";

const LIST = "Inbox";
const ONE = "Selected item";

export function inboxShortcuts(page: InboxPage): Shortcut[] {
  const isEditing = (): boolean => page.draft !== undefined;
  const hasSelected = (): boolean => page.selection.rows.size > 0 && !isEditing();
  const isOpen = (kind: Kind, choice: Choice): boolean => {
    const { current } = page;
    return !isEditing() && current?.status === "open" && current.kind === kind.kind && choice.when?.(current) !== false;
  };
  const bulkOf = (choice: Choice): Bulk | undefined => BULKS.find(({ name }) => name === choice.bulk);
  const takesBulk = (choice: Choice): boolean => {
    const bulk = bulkOf(choice);
    return bulk !== undefined && bulk.key === choice.keys[0] && bulksFor(page.targets).includes(bulk);
  };
  const choose = (choice: Choice): void => {
    const bulk = bulkOf(choice);
    void (hasSelected() && bulk !== undefined ? page.decisions.decideAll(bulk) : page.decisions.choose(choice));
  };
  const canUndoHere = (): boolean => !isEditing() && page.targets.some(canUndo);
  return [
    {
      id: "inbox.clear",
      keys: ["Escape"],
      label: "Clear selection",
      group: LIST,
      when: hasSelected,
      run: () => {
        page.selectNone();
      },
    },
    {
      id: "inbox.selectSession",
      keys: ["Shift+S"],
      label: "Select all of this session",
      group: LIST,
      words: "group bulk",
      when: () => !isEditing() && page.filters.status === "open" && page.headings.length > 0,
      run: () => {
        page.selectSession();
      },
    },
    ...collapses(page, isEditing),
    {
      id: "inbox.close",
      keys: ["Escape"],
      label: "Back to the list",
      group: LIST,
      when: () => page.isSinglePane && page.isReading && !isEditing(),
      run: () => {
        page.close();
      },
    },
    {
      id: "inbox.showOpen",
      keys: [],
      label: "Show open items",
      group: LIST,
      when: () => page.filters.status !== "open",
      run: () => {
        page.filter({ status: "open" });
      },
    },
    {
      id: "inbox.showDone",
      keys: [],
      label: "Show done items",
      group: LIST,
      words: "history decided",
      when: () => page.filters.status !== "done",
      run: () => {
        page.filter({ status: "done" });
      },
    },
    ...KINDS.map(({ kind, plural }) => ({
      id: `inbox.only.${kind}`,
      keys: [],
      label: `Show ${plural.toLowerCase()} only`,
      group: LIST,
      when: () => page.filters.kind !== kind,
      run: () => {
        page.filter({ kind });
      },
    })),
    ...KINDS.flatMap((kind) =>
      kind.choices.map((choice) => ({
        id: `inbox.${choice.id}`,
        keys: choice.keys,
        label: choice.label,
        group: ONE,
        ...definedOnly({ words: choice.words }),
        when: () => (hasSelected() ? takesBulk(choice) : isOpen(kind, choice)),
        run: () => {
          choose(choice);
        },
      })),
    ),
    {
      id: "inbox.undo",
      keys: ["u"],
      label: "Undo",
      group: ONE,
      when: () => canUndoHere() || toasts.undoable !== undefined,
      run: () => {
        if (canUndoHere()) void page.decisions.undoTargets();
        else toasts.undo();
      },
    },
  ];
}

/** Collapsing and expanding sessions, as in a tree. */
function collapses(page: InboxPage, isEditing: () => boolean): Shortcut[] {
  const has = (isCollapsed: boolean): boolean => {
    const group = page.groupOf();
    return !isEditing() && group !== undefined && canCollapse(group) && page.collapsed.has(group.key) === isCollapsed;
  };
  const isGrouped = (): boolean => !isEditing() && page.groups.some(canCollapse);
  const one = (id: string, key: string, label: string, isCollapsed: boolean): Shortcut => ({
    id: `inbox.${id}`,
    keys: [key],
    label,
    group: LIST,
    when: () => has(!isCollapsed),
    run: () => {
      page.collapse(page.groupOf(), isCollapsed);
    },
  });
  const all = (id: string, key: string, label: string, isCollapsed: boolean): Shortcut => ({
    id: `inbox.${id}`,
    keys: [key],
    label,
    group: LIST,
    when: isGrouped,
    run: () => {
      page.collapseAll(isCollapsed);
    },
  });
  return [
    one("collapse", "ArrowLeft", "Collapse this session", true),
    one("expand", "ArrowRight", "Expand this session", false),
    all("collapseAll", "Shift+ArrowLeft", "Collapse all sessions", true),
    all("expandAll", "Shift+ArrowRight", "Expand all sessions", false),
  ];
}
