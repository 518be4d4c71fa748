/** What the palette offers, in its order: what the selected thing takes, what was chosen lately, all else. */

import { readLocal, writeLocal } from "$lib/state/local-storage";

import type { Shortcut } from "../registry.svelte";
import { scoreOf } from "./match";

export interface Group {
  readonly name: string;
  readonly actions: readonly Shortcut[];
}

const STORED = "intaglio.recent";
const KEPT = 8;
const SHOWN_RECENT = 4;
/** What was chosen lately goes before an equal. */
const RECENT_BONUS = 4;
const LEAST = 12;

/** Ids of what was chosen, the latest first. */
export function recent(): readonly string[] {
  return (readLocal(STORED) ?? "").split(" ").filter((id) => id !== "");
}

export function remember(id: string): void {
  const ids = [id, ...recent().filter((one) => one !== id)].slice(0, KEPT);
  writeLocal(STORED, ids.join(" "));
}

function isOfSelection(action: Shortcut): boolean {
  return action.group.startsWith("One ");
}

/** In groups, in the order in which each group first occurs. */
function grouped(actions: readonly Shortcut[]): Group[] {
  const names = [...new Set(actions.map((action) => action.group))];
  return names.map((name) => ({ name, actions: actions.filter((action) => action.group === name) }));
}

function given(name: string, actions: readonly Shortcut[]): Group[] {
  return actions.length === 0 ? [] : [{ name, actions }];
}

/** Before anything is typed. */
function all(actions: readonly Shortcut[]): Group[] {
  const selection = actions.filter(isOfSelection);
  const late = recent()
    .flatMap((id) => actions.find((action) => action.id === id) ?? [])
    .filter((action) => !selection.includes(action))
    .slice(0, SHOWN_RECENT);
  const rest = actions.filter((action) => !selection.includes(action) && !late.includes(action));
  // Moving about is done by its keys; here it would hide the rest.
  const moves = rest.filter((action) => action.repeats === true);
  return [
    ...grouped(selection),
    ...given("Chosen lately", late),
    ...grouped(rest.filter((action) => !moves.includes(action))),
    ...given("Moving about", moves),
  ];
}

/** What answers the words, the best first. */
function answering(actions: readonly Shortcut[], query: string): Group[] {
  const late = recent();
  const scored = actions
    .map((action) => {
      const points = scoreOf(query, action.label, action.group, action.words);
      const bonus = (late.includes(action.id) ? RECENT_BONUS : 0) + (isOfSelection(action) ? RECENT_BONUS : 0);
      return { action, points: points < LEAST ? 0 : points + bonus };
    })
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points);
  return given("Actions", scored.map(({ action }) => action));
}

export function groupsFor(actions: readonly Shortcut[], query: string): readonly Group[] {
  return query.trim() === "" ? all(actions) : answering(actions, query);
}
