/** The commands of the palette in order: those for the selected item, recent ones, the page's, all others. */

import { scoreOf, STRONG } from "$lib/finding/match";
import { readLocal, writeLocal } from "$lib/state/local-storage";

import type { Shortcut } from "../registry.svelte";
import { PROJECTS, SESSIONS } from "./navigation-commands.svelte";

export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Shortcut[];
}

/** The commands that match what is typed, and how well the best one does, 0 to 100. */
export interface MatchingCommands {
  readonly groups: readonly CommandGroup[];
  readonly best: number;
}

const STORAGE_KEY = "intaglio.recent";
const MAX_RECENT = 8;
const SHOWN_RECENT = 4;
/** The others are found by typing. */
const SHOWN_PROJECTS = 5;
const SHOWN_MATCHES = 8;
/** A recently used command ranks before an equal match. */
const RECENT_BONUS = 4;
const MIN_SCORE = 12;
/** Beside what was meant, what only contains the letters is noise. */
const BESIDE_STRONG = 40;

/** Ids of recently run commands, newest first. */
export function recent(): readonly string[] {
  return (readLocal(STORAGE_KEY) ?? "").split(" ").filter((id) => id !== "");
}

export function remember(id: string): void {
  const ids = [id, ...recent().filter((one) => one !== id)].slice(0, MAX_RECENT);
  writeLocal(STORAGE_KEY, ids.join(" "));
}

function isOfSelection(command: Shortcut): boolean {
  return command.group.startsWith("Selected ");
}

/** Negative for what is used seldom, such as one of many ways to sort, or by a key that is held. */
function weightOf({ weight, repeats }: Shortcut): number {
  return weight ?? (repeats === true ? -1 : 0);
}

/** Group by name, in order of first occurrence, the most used first in each. */
function grouped(commands: readonly Shortcut[]): CommandGroup[] {
  const names = [...new Set(commands.map((command) => command.group))];
  return names.map((name) => ({
    name,
    commands: commands.filter((command) => command.group === name).sort((one, other) => weightOf(other) - weightOf(one)),
  }));
}

function nonEmptyGroup(name: string, commands: readonly Shortcut[]): CommandGroup[] {
  return commands.length === 0 ? [] : [{ name, commands }];
}

/** Before anything is typed. */
function all(commands: readonly Shortcut[]): CommandGroup[] {
  const selection = commands.filter(isOfSelection);
  const recents = recent()
    .flatMap((id) => commands.find((command) => command.id === id) ?? [])
    .filter((command) => !selection.includes(command))
    .slice(0, SHOWN_RECENT);
  const rest = commands.filter((command) => !selection.includes(command) && !recents.includes(command));
  const late = rest.filter((command) => weightOf(command) < 0);
  const hasOthers = ({ group }: Shortcut): boolean => rest.some((command) => command.group === group && !late.includes(command));
  // Moving from row to row is in a group of its own; listed first, it would hide the rest.
  const moves = late.filter((command) => command.repeats === true || hasOthers(command));
  const hidden = rest.filter((command) => command.group === PROJECTS).slice(SHOWN_PROJECTS);
  return [
    ...grouped(selection),
    ...nonEmptyGroup("Recent", recents),
    ...grouped(rest.filter((command) => !late.includes(command) && !hidden.includes(command))),
    ...grouped(late.filter((command) => !moves.includes(command))),
    ...nonEmptyGroup("Navigation", moves),
  ];
}

/** The commands that match the query, best first; projects apart. */
function matching(commands: readonly Shortcut[], query: string): MatchingCommands {
  const recents = recent();
  const scored = commands
    .filter((command) => command.group !== SESSIONS)
    .map((command) => {
      const points = scoreOf(query, command.label, command.group, command.words);
      const bonus = (recents.includes(command.id) ? RECENT_BONUS : 0) + (isOfSelection(command) ? RECENT_BONUS : 0);
      return { command, points: points < MIN_SCORE ? 0 : points + bonus };
    })
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points);
  const best = scored[0]?.points ?? 0;
  const kept = (best < STRONG ? scored : scored.filter(({ points }) => points >= BESIDE_STRONG)).slice(0, SHOWN_MATCHES);
  return {
    best,
    groups: nonEmptyGroup(
      "Commands",
      kept.map(({ command }) => command),
    ),
  };
}

export function commandsFor(commands: readonly Shortcut[], query: string): MatchingCommands {
  return query.trim() === "" ? { groups: all(commands), best: 0 } : matching(commands, query);
}
