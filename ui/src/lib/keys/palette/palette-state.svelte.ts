/**
 * What the command palette lists and which entry is the current one.
 *
 * Commands, settings and Help are found in this browser, at once; what the daemon finds comes later.
 * It never takes the place of what was found by its name, and the current entry stays the current one.
 */

import type { ApiError } from "$lib/api/errors";
import { limited, type Destination } from "$lib/finding/destination";
import { Finder } from "$lib/finding/finder.svelte";
import { foundGroups } from "$lib/finding/found-groups";
import { HelpSearch } from "$lib/finding/help-search.svelte";
import { STRONG } from "$lib/finding/match";
import { findSettings, settingsList } from "$lib/finding/found-settings.svelte";
import { byStart } from "$lib/memory/highlight";
import { navigate } from "$lib/state/internal-links";

import { keys, shownKey, type Shortcut } from "../registry.svelte";
import { commandsFor, remember } from "./entries";
import { projectCommandId } from "./navigation-commands.svelte";
import { NewestMemories } from "./newest-memories.svelte";

const MOST = 50;
/** How far Page Up and Page Down go. */
const PAGE = 8;

export interface PaletteEntry extends Omit<Destination, "path"> {
  /** Its shortcut. */
  readonly keys?: string | undefined;
  readonly run: () => void;
}

export interface PaletteGroup {
  readonly id: string;
  readonly name: string;
  readonly items: readonly PaletteEntry[];
}

interface Ranked {
  readonly groups: readonly PaletteGroup[];
  /** How well the best entry matches, 0 to 100. */
  readonly best: number;
}

type Move = (at: number, last: number) => number;

export const MOVES: Readonly<Record<string, Move>> = {
  ArrowDown: (at, last) => (at === last ? 0 : at + 1),
  ArrowUp: (at, last) => (at === 0 ? last : at - 1),
  PageDown: (at, last) => Math.min(last, at + PAGE),
  PageUp: (at) => Math.max(0, at - PAGE),
  Home: () => 0,
  End: (_, last) => last,
};

export class PaletteState {
  readonly #searching: boolean;
  readonly #commands: () => readonly Shortcut[];
  readonly #finder = new Finder();
  readonly #newest = new NewestMemories();
  readonly #help = new HelpSearch();
  query = $state("");
  /** The entry that the user moved to. */
  #chosen = $state<string>();
  /** Enter was pressed before the results arrived. */
  isEager = $state(false);

  readonly typed = $derived.by(() => this.query.trim());
  readonly isWaiting = $derived.by(() => {
    if (this.typed !== "") return this.#finder.isWaiting(this.typed);
    return this.#searching && this.#newest.phase === "loading";
  });
  readonly error: ApiError | undefined = $derived.by(() => (this.typed === "" ? this.#newest.error : this.#finder.error));
  readonly #local = $derived.by(() => this.#localGroups());
  readonly groups: readonly PaletteGroup[] = $derived.by(() => limited(this.#allGroups(), MOST));
  readonly entries = $derived.by(() => this.groups.flatMap(({ items }) => items));
  readonly active = $derived.by(() =>
    Math.max(
      0,
      this.entries.findIndex(({ id }) => id === this.#chosen),
    ),
  );
  readonly current = $derived.by(() => this.entries[this.active]);
  /** How many results there are, in words; empty while that is to come. */
  readonly countText = $derived.by(() => {
    if (this.error !== undefined) return `${this.error.title}. ${this.error.message}`;
    const count = this.entries.filter(({ isAll }) => isAll !== true).length;
    if (this.isWaiting || (this.typed === "" && count > 0)) return "";
    if (count === 0) return this.typed === "" ? "No memories yet." : "No results.";
    return count === 1 ? "1 result" : `${String(count)} results`;
  });

  /** `searching`: what is kept goes first, and before anything is typed only the newest memories are listed. */
  constructor(searching: boolean, commands: () => readonly Shortcut[]) {
    this.#searching = searching;
    this.#commands = commands;
  }

  /** Load what is searched in this browser. */
  prepare(): void {
    settingsList.prepare();
    void this.#help.prepare();
    if (this.#searching) void this.#newest.load();
  }

  stop(): void {
    this.#finder.stop();
    this.#newest.stop();
  }

  type(query: string): void {
    this.query = query;
    this.#chosen = undefined;
    this.isEager = false;
    this.#finder.find(query);
  }

  choose(id: string | undefined): void {
    this.#chosen = id;
    this.isEager = false;
  }

  move(step: Move): void {
    if (this.entries.length > 0) this.choose(this.entries[step(this.active, this.entries.length - 1)]?.id);
  }

  /** Move to the first entry of the next or previous group, round the ends. */
  jump(by: 1 | -1): void {
    const { groups, current } = this;
    const at = groups.findIndex(({ items }) => items.some((item) => item === current));
    this.choose(groups[(at + by + groups.length) % groups.length]?.items[0]?.id);
  }

  /** The entry to run at Enter; undefined to wait for the results of what is asked now. */
  enter(): PaletteEntry | undefined {
    // Results of an older query don't count; what matches by its name does, as nothing will go before it.
    const isSettled = this.#chosen !== undefined || (!this.#searching && this.#isStrong);
    this.isEager = this.isWaiting && !isSettled;
    return this.isEager ? undefined : this.current;
  }

  get #isStrong(): boolean {
    return this.#local.some(({ best }) => best >= STRONG);
  }

  #allGroups(): readonly PaletteGroup[] {
    if (this.typed === "") {
      if (!this.#searching) return this.#local.flatMap(({ groups }) => groups);
      const items = (this.#newest.value ?? []).map(entryTo);
      return items.length === 0 ? [] : [{ id: "newest", name: "Recent memories", items }];
    }
    const strong = this.#local.filter(({ best }) => best >= STRONG).flatMap(({ groups }) => groups);
    const weak = this.#local.filter(({ best }) => best < STRONG).flatMap(({ groups }) => groups);
    const found = this.#foundGroups(this.#local.flatMap(({ groups }) => groups.flatMap(({ items }) => items.map(({ id }) => id))));
    return this.#searching ? [...found, ...strong, ...weak] : [...strong, ...found, ...weak];
  }

  /** What the daemon found, without the projects that a command leads to. */
  #foundGroups(listed: readonly string[]): readonly PaletteGroup[] {
    if (this.#finder.error !== undefined) return [];
    const asked = this.#finder.loadedParams ?? "";
    const groups = (this.#finder.value?.groups ?? []).map((group) =>
      group.kind === "project"
        ? { ...group, items: group.items.filter(({ id }) => !listed.includes(`command:${projectCommandId(id)}`)) }
        : group,
    );
    return foundGroups(groups, asked).map(({ id, name, items }) => ({ id, name, items: items.map(entryTo) }));
  }

  /** What is found in this browser, best first. */
  #localGroups(): readonly Ranked[] {
    const { groups, best } = commandsFor(this.#commands(), this.query);
    const commands: Ranked = {
      best,
      groups: groups.map(({ name, commands: some }) => ({
        id: `commands:${name}`,
        name,
        items: some.map((one) => commandEntry(one, name, this.typed)),
      })),
    };
    if (this.typed === "") return [commands];
    const local = [
      commands,
      ranked("setting", "Settings", findSettings(settingsList.value, this.query)),
      ranked("help", "Help", this.#help.find(this.query)),
    ];
    return local.filter((one) => one.groups.length > 0).sort((one, other) => other.best - one.best);
  }
}

function ranked(id: string, name: string, { items, best }: { readonly items: readonly Destination[]; readonly best: number }): Ranked {
  return { best, groups: items.length === 0 ? [] : [{ id, name, items: items.map(entryTo) }] };
}

function entryTo({ path, ...destination }: Destination): PaletteEntry {
  return {
    ...destination,
    run: () => {
      navigate(new URL(path, location.origin));
    },
  };
}

function commandEntry(command: Shortcut, group: string, typed: string): PaletteEntry {
  const key = keys.keysOf(command)[0];
  return {
    id: `command:${command.id}`,
    label: command.label,
    keys: key === undefined ? undefined : shownKey(key),
    // Its own group, if the heading doesn't show it.
    detail: group === command.group ? undefined : command.group,
    matcher: typed === "" ? undefined : byStart(typed),
    run: () => {
      remember(command.id);
      command.run(new KeyboardEvent("keydown"));
    },
  };
}
