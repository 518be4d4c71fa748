/**
 * Search as you type: memories, everything else that the daemon finds, settings and Help. The newest
 * query wins; an empty one lists the newest memories.
 */

import { api, type FoundGroup, type Matches } from "$lib/api/client";
import { isAbort } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { allOf, type Destination, type DestinationGroup } from "$lib/finding/destination";
import { FOUND_KINDS, foundGroups } from "$lib/finding/found-groups";
import { HelpSearch } from "$lib/finding/help-search.svelte";
import { findSettings, settingsList } from "$lib/finding/found-settings.svelte";
import { matchOf, matcherOf } from "$lib/memory/search-match";
import { projectName, typeOf } from "$lib/memory/types";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

/** A memory that was found, as a whole or truncated. */
interface FoundMemory {
  readonly id: string;
  readonly content: string;
  /** Whether the text is truncated. */
  readonly isCut: boolean;
  /** What else speaks for it, in plain words. */
  readonly reasons: readonly string[];
}

export interface Hit extends Destination {
  readonly memory?: FoundMemory;
}

interface HitGroup extends DestinationGroup {
  readonly items: readonly Hit[];
}

interface Answer {
  /** Apart from what is found in this browser. */
  readonly groups: readonly HitGroup[];
  /** How many weaker matches of memories were left out. */
  readonly weaker: number;
}

const WAIT_MS = 120;
const SHOWN = 12;
/** The most of each other kind. */
const SHOWN_OTHERS = 4;

/** `loadedParams` is the query of the current hits; undefined before the first result. */
export class QuickSearch extends Resource<Answer, string> {
  query = $state("");
  active = $state(0);
  readonly #help = new HelpSearch();
  /** Called with the best hit once results arrive. */
  #eager: ((path: string) => void) | undefined;
  /** Whether the user moved the selection since typing. */
  #isChosen = false;
  /** The hit to keep selected when the same query is reloaded. */
  #kept: string | undefined;
  /** The query that weaker matches were asked for. */
  #withWeaker: string | undefined;
  readonly #whole = new Map<string, string>();

  /** What was found, best first, with what is found in this browser for the same query. */
  readonly groups: readonly HitGroup[] = $derived.by(() => {
    const asked = this.loadedParams ?? "";
    const local = [
      { id: "setting", name: "Settings", items: findSettings(settingsList.value, asked).items },
      { id: "help", name: "Help", items: this.#help.find(asked).items },
    ];
    return [...(this.value?.groups ?? []), ...local.filter(({ items }) => items.length > 0)];
  });
  readonly hits: readonly Hit[] = $derived.by(() => this.groups.flatMap(({ items }) => items));

  get weaker(): number {
    return this.value?.weaker ?? 0;
  }

  get chosen(): Hit | undefined {
    return this.hits[this.active];
  }

  /** Start with this query; returns a function that stops. */
  start(query: string): () => void {
    this.query = query;
    this.params = query.trim();
    settingsList.prepare();
    void this.#help.prepare();
    return this.subscribe();
  }

  /** Search for the typed text after a short delay. */
  type(query: string): void {
    this.query = query;
    this.#eager = undefined;
    this.#isChosen = false;
    this.ask(query.trim(), WAIT_MS);
  }

  move(step: number): void {
    const last = this.hits.length - 1;
    if (last >= 0) this.choose(Math.min(last, Math.max(0, this.active + step)));
  }

  choose(index: number): void {
    this.active = index;
    this.#eager = undefined;
    this.#isChosen = true;
  }

  /** Move to the first hit of the next or previous group, round the ends. */
  jump(by: 1 | -1): void {
    const { groups, chosen } = this;
    const at = groups.findIndex(({ items }) => items.some((hit) => hit === chosen));
    const first = groups[(at + by + groups.length) % groups.length]?.items[0];
    if (first !== undefined) this.choose(this.hits.indexOf(first));
  }

  /** Open the selected hit; if the hits are outdated, open the best one of the pending results. */
  open(how: (path: string) => void): void {
    const waits = this.loadedParams !== this.params && this.error === undefined;
    if (waits && !this.#isChosen) this.#eager = how;
    else if (this.chosen !== undefined) how(this.chosen.path);
  }

  protected async read(signal: AbortSignal, query: string): Promise<Answer> {
    const answer = await read(query, this.#withWeaker === query, signal);
    this.#kept = this.loadedParams === query ? this.chosen?.id : undefined;
    return answer;
  }

  /** Search again, and list weaker matches too. */
  showWeaker(): void {
    this.#withWeaker = this.params;
    this.ask(this.params ?? "", 0);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" ? 0 : undefined;
  }

  protected override settled(outcome: Outcome): void {
    const eager = this.#eager;
    this.#eager = undefined;
    if (outcome === "failed") return;
    this.active = Math.max(
      0,
      this.hits.findIndex((hit) => hit.id === this.#kept),
    );
    // The texts may have changed since.
    this.#whole.clear();
    if (eager !== undefined && this.chosen !== undefined) eager(this.chosen.path);
  }

  /** The text of the selected hit, of a memory all of it; undefined until that is loaded. */
  get text(): string | undefined {
    const { memory, label } = this.chosen ?? {};
    if (memory === undefined) return label;
    return memory.isCut ? this.#whole.get(memory.id) : memory.content;
  }

  /** Load the full text of a truncated memory, so that it can be copied. */
  async fetchWhole(): Promise<void> {
    const memory = this.chosen?.memory;
    if (memory?.isCut !== true || this.#whole.has(memory.id)) return;
    try {
      this.#whole.set(memory.id, (await api.memory(memory.id)).content);
    } catch {
      // Copying reports it.
    }
  }
}

async function read(query: string, withWeaker: boolean, signal: AbortSignal): Promise<Answer> {
  if (query === "") {
    const { memories } = await api.memories({ limit: SHOWN }, signal);
    const items = memories.map((memory) => ({ ...shared(memory), memory: { ...shown(memory), isCut: false, reasons: [] } }));
    return { groups: grouped("Recent memories", items), weaker: 0 };
  }
  const asked = { q: query, limit: SHOWN };
  const [matches, found] = await Promise.all([api.search(withWeaker ? { ...asked, min_score: 0 } : asked, signal), others(query, signal)]);
  return { groups: merged(matches, found, query), weaker: matches.weaker };
}

/** The other kinds of things, which memories don't wait for if they can't be searched. */
async function others(query: string, signal: AbortSignal): Promise<readonly FoundGroup[]> {
  try {
    return (await api.find({ q: query, limit: SHOWN_OTHERS }, signal)).groups;
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    return [];
  }
}

/** Memories have the place that they have among all groups: those that are found best, then the others that answer. */
function merged({ results }: Matches, found: readonly FoundGroup[], query: string): HitGroup[] {
  const groups: HitGroup[] = foundGroups(found, query);
  const answers = results.map((result): Hit => {
    const match = matchOf(result);
    const memory = { ...shown(result), isCut: result.truncated, reasons: match?.reasons ?? [] };
    return { ...shared(result), memory, matcher: matcherOf(match, query) };
  });
  const best = (groups.find(({ id }) => id === "memory")?.items ?? [])
    .filter(({ isAll }) => isAll !== true)
    .map((item) => answers.find(({ id }) => id === item.id) ?? foundMemory(item));
  const items = [...best, ...answers.filter(({ id }) => best.every((one) => one.id !== id))];
  const { name, all, path } = FOUND_KINDS.memory;
  const memories = grouped(name, items.length === 0 ? [] : [...items, allOf("memory", all, path, query)]);
  const place = found.findIndex(({ kind }) => kind === "memory");
  const rest = groups.filter(({ id }) => id !== "memory");
  return place < 0 ? [...memories, ...rest] : [...rest.slice(0, place), ...memories, ...rest.slice(place)];
}

/** A memory that is found, but that recall doesn't answer with; its title may be cut. */
function foundMemory(item: Destination): Hit {
  return { ...item, memory: { id: item.id.slice("memory:".length), content: item.label, isCut: true, reasons: [] } };
}

function grouped(name: string, items: readonly Hit[]): HitGroup[] {
  return items.length === 0 ? [] : [{ id: "memory", name, items }];
}

interface ListedMemory {
  readonly id: string;
  readonly content: string;
  readonly type: string;
  readonly project: string | null;
  readonly created_at: string;
}

function shown({ id, content }: ListedMemory): Pick<FoundMemory, "id" | "content"> {
  return { id, content };
}

function shared({ id, content, type, project, created_at: created }: ListedMemory): Destination {
  const { icon, label: kind } = typeOf(type);
  const detail = project === null ? undefined : projectName(project);
  return { id: `memory:${id}`, label: content, icon, kind, detail, time: created, path: `/memories/${encodeURIComponent(id)}` };
}
