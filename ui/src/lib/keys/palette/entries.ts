/** The commands of the palette in order: those for the selected item, recent ones, all others. */

import { readLocal, writeLocal } from "$lib/state/local-storage";

import type { Shortcut } from "../registry.svelte";
import { scoreOf } from "./match";
import { PROJECTS } from "./navigation-commands.svelte";

export interface Group {
  readonly name: string;
  readonly actions: readonly Shortcut[];
}

const STORAGE_KEY = "intaglio.recent";
const MAX_RECENT = 8;
const SHOWN_RECENT = 4;
/** The others are found by typing. */
const SHOWN_PROJECTS = 5;
/** A recently used command ranks before an equal match. */
const RECENT_BONUS = 4;
const MIN_SCORE = 12;

/** Ids of recently run commands, newest first. */
export function recent(): readonly string[] {
  return (readLocal(STORAGE_KEY) ?? "").split(" ").filter((id) => id !== "");
}

export function remember(id: string): void {
  const ids = [id, ...recent().filter((one) => one !== id)].slice(0, MAX_RECENT);
  writeLocal(STORAGE_KEY, ids.join(" "));
}

function isOfSelection(action: Shortcut): boolean {
  return action.group.startsWith("Selected ");
}

/** Group by name, in order of first occurrence. */
function grouped(actions: readonly Shortcut[]): Group[] {
  const names = [...new Set(actions.map((action) => action.group))];
  return names.map((name) => ({ name, actions: actions.filter((action) => action.group === name) }));
}

function nonEmptyGroup(name: string, actions: readonly Shortcut[]): Group[] {
  return actions.length === 0 ? [] : [{ name, actions }];
}

/** Before anything is typed. */
function all(actions: readonly Shortcut[]): Group[] {
  const selection = actions.filter(isOfSelection);
  const recents = recent()
    .flatMap((id) => actions.find((action) => action.id === id) ?? [])
    .filter((action) => !selection.includes(action))
    .slice(0, SHOWN_RECENT);
  const rest = actions.filter((action) => !selection.includes(action) && !recents.includes(action));
  // Navigation commands have keys; listed first, they would hide the rest.
  const moves = rest.filter((action) => action.repeats === true);
  const hidden = rest.filter((action) => action.group === PROJECTS).slice(SHOWN_PROJECTS);
  return [
    ...grouped(selection),
    ...nonEmptyGroup("Recent", recents),
    ...grouped(rest.filter((action) => !moves.includes(action) && !hidden.includes(action))),
    ...nonEmptyGroup("Navigation", moves),
  ];
}

/** The commands that match the query, best first. */
function matching(actions: readonly Shortcut[], query: string): Group[] {
  const recents = recent();
  const scored = actions
    .map((action) => {
      const points = scoreOf(query, action.label, action.group, action.words);
      const bonus = (recents.includes(action.id) ? RECENT_BONUS : 0) + (isOfSelection(action) ? RECENT_BONUS : 0);
      return { action, points: points < MIN_SCORE ? 0 : points + bonus };
    })
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points);
  return nonEmptyGroup(
    "Commands",
    scored.map(({ action }) => action),
  );
}

export function groupsFor(actions: readonly Shortcut[], query: string): readonly Group[] {
  return query.trim() === "" ? all(actions) : matching(actions, query);
}
