/** The shortcuts and commands of the Inbox view. */

import type { Shortcut } from "$lib/keys/registry.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { isFiltered, KINDS, type ItemKind } from "./inbox-filters";
import type { InboxPage } from "./inbox-page.svelte";
import { canUndo, EDIT_LABELS } from "./inbox-text";

const LIST = "Inbox";
const ONE = "Selected item";

export function inboxShortcuts(page: InboxPage, focusFilters: () => void): Shortcut[] {
  const isEditing = (): boolean => page.draft !== undefined;
  const hasRows = (): boolean => page.items.rows.length > 0 && !isEditing();
  const hasSelected = (): boolean => page.selection.rows.size > 0 && !isEditing();
  const isOpen = (kind?: ItemKind): boolean => {
    const { current } = page;
    return !isEditing() && current?.status === "open" && (kind === undefined || current.kind === kind);
  };
  const isBulk = (): boolean => hasSelected() && page.targets.some(({ status }) => status === "open");
  const decide = (action: "keep" | "drop"): void => {
    void (hasSelected() ? page.decisions.decideAll(action) : page.decisions.decide(action));
  };
  const isBulkOf = (kind: ItemKind): boolean => isBulk() && page.targets.some((row) => row.kind === kind);
  const propose = (action: "apply" | "reject"): void => {
    void (hasSelected() ? page.decisions.decideProposals(action) : page.decisions.decide(action));
  };
  const canUndoHere = (): boolean => !isEditing() && page.targets.some(canUndo);
  const walk = (id: string, keys: readonly string[], label: string, run: () => void, repeats = true): Shortcut => ({
    id: `inbox.${id}`,
    keys,
    label,
    group: LIST,
    when: hasRows,
    repeats,
    run,
  });
  return [
    walk("next", ["j", "ArrowDown"], "Next", () => { page.move(1); }),
    walk("previous", ["k", "ArrowUp"], "Previous", () => { page.move(-1); }),
    walk("pageDown", ["PageDown"], "Page down", () => { page.move(page.rows?.page() ?? 1); }),
    walk("pageUp", ["PageUp"], "Page up", () => { page.move(-(page.rows?.page() ?? 1)); }),
    walk("first", ["Home"], "First", () => { page.move(-page.items.rows.length); }, false),
    walk("last", ["End"], "Last loaded", () => { page.move(page.items.rows.length); }, false),
    { id: "inbox.open", keys: ["Enter"], label: "Open", group: LIST, when: () => page.rows?.hasFocus() === true, run: () => { if (page.active !== undefined) page.open(page.active); } },
    walk("select", ["x"], "Select or deselect", () => { page.toggle(); }, false),
    walk("selectNext", ["J", "Shift+ArrowDown"], "Select down", () => { page.extend(1); }),
    walk("selectPrevious", ["K", "Shift+ArrowUp"], "Select up", () => { page.extend(-1); }),
    walk("selectLoaded", ["Mod+a"], "Select all loaded", () => { page.selectAll(); }, false),
    { id: "inbox.clear", keys: ["Escape"], label: "Clear selection", group: LIST, when: hasSelected, run: () => { page.selectNone(); } },
    { id: "inbox.close", keys: ["Escape"], label: "Back to the list", group: LIST, when: () => page.isSinglePane && page.isReading && !isEditing(), run: () => { page.close(); } },
    { id: "inbox.filter", keys: ["f"], label: "Filter", group: LIST, when: () => !isEditing(), run: focusFilters },
    { id: "inbox.unfilter", keys: [], label: "Clear all filters", group: LIST, when: () => isFiltered(page.filters), run: () => { page.filter({ kind: undefined, project: undefined }); } },
    { id: "inbox.showOpen", keys: [], label: "Show open items", group: LIST, when: () => page.filters.status !== "open", run: () => { page.filter({ status: "open" }); } },
    { id: "inbox.showDone", keys: [], label: "Show done items", group: LIST, words: "history decided", when: () => page.filters.status !== "done", run: () => { page.filter({ status: "done" }); } },
    ...KINDS.map(({ kind, label }) => ({
      id: `inbox.only.${kind}`,
      keys: [],
      label: `Show ${label.toLowerCase()} only`,
      group: LIST,
      when: () => page.filters.kind !== kind,
      run: () => { page.filter({ kind }); },
    })),
    { id: "inbox.keep", keys: ["y"], label: "Keep", group: ONE, words: "accept", when: () => (hasSelected() ? isBulk() : isOpen("suggestion")), run: () => { decide("keep"); } },
    { id: "inbox.edit", keys: ["e"], label: EDIT_LABELS.suggestion, group: ONE, when: () => isOpen("suggestion") && !hasSelected(), run: () => void page.edit() },
    { id: "inbox.editNewer", keys: ["e"], label: EDIT_LABELS.contradiction, group: ONE, when: () => isOpen("contradiction") && !hasSelected(), run: () => void page.edit() },
    { id: "inbox.drop", keys: ["d", "#", "Delete"], label: "Drop", group: ONE, words: "reject dismiss", when: () => (hasSelected() ? isBulk() : isOpen("suggestion")), run: () => { decide("drop"); } },
    { id: "inbox.keepBoth", keys: ["b"], label: "Keep both", group: ONE, when: () => isOpen("contradiction") && !hasSelected(), run: () => void page.decisions.decide("keep_both") },
    { id: "inbox.newerWins", keys: ["n"], label: "Keep newer", group: ONE, words: "newer wins", when: () => isOpen("contradiction") && !hasSelected(), run: () => void page.decisions.decide("newer_wins") },
    { id: "inbox.olderWins", keys: ["o"], label: "Keep older", group: ONE, words: "older wins drop", when: () => isOpen("contradiction") && !hasSelected(), run: () => void page.decisions.decide("drop") },
    { id: "inbox.merge", keys: ["m"], label: "Merge", group: ONE, words: "same entity", when: () => isOpen("possible_merge") && !hasSelected(), run: () => void page.decisions.decide("merge") },
    { id: "inbox.keepApart", keys: ["a"], label: "Keep apart", group: ONE, words: "different entities", when: () => isOpen("possible_merge") && !hasSelected(), run: () => void page.decisions.decide("keep_apart") },
    { id: "inbox.keepWide", keys: ["w"], label: "Keep for all projects", group: ONE, words: "global scope everywhere", when: () => isOpen("suggestion") && page.current?.project !== null && !hasSelected(), run: () => void page.decisions.keepWide() },
    { id: "inbox.allProjects", keys: ["w"], label: "For all projects", group: ONE, words: "global scope everywhere", when: () => isOpen("wider_scope") && !hasSelected(), run: () => void page.decisions.decide("all_projects") },
    { id: "inbox.thisProject", keys: ["y"], label: "Only this project", group: ONE, when: () => isOpen("wider_scope") && !hasSelected(), run: () => void page.decisions.decide("this_project") },
    { id: "inbox.apply", keys: ["a"], label: "Apply", group: ONE, words: "accept change forget", when: () => (hasSelected() ? isBulkOf("proposed_change") : isOpen("proposed_change")), run: () => { propose("apply"); } },
    { id: "inbox.reject", keys: ["r"], label: "Keep as it is", group: ONE, words: "reject", when: () => (hasSelected() ? isBulkOf("proposed_change") : isOpen("proposed_change")), run: () => { propose("reject"); } },
    { id: "inbox.keepChanges", keys: ["c"], label: "Keep the changes", group: ONE, words: "accept", when: () => isOpen("agent_changes") && !hasSelected(), run: () => void page.decisions.decide("keep_changes") },
    { id: "inbox.undoChanges", keys: ["z"], label: "Undo all changes", group: ONE, words: "restore revert", when: () => isOpen("agent_changes") && !hasSelected(), run: () => void page.decisions.decide("undo_changes") },
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
