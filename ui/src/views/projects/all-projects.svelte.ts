/** All projects that match a search, a page at a time; kept current. */

import { api, type ProjectList, type ProjectRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { reportFailure } from "$lib/memory/memory-actions";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 1_000;
const PAGE = 100;
const MOST = 500;

interface Wanted {
  readonly words: string;
  readonly archived: boolean;
}

export class AllProjects extends Resource<ProjectList, Wanted> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  isLoadingMore = $state(false);
  /** How many to read. */
  #limit = PAGE;

  readonly rows = $derived<readonly ProjectRow[]>(this.value?.projects ?? []);

  constructor() {
    super();
    this.params = { words: "", archived: false };
  }

  protected read(signal: AbortSignal, { words, archived }: Wanted): Promise<ProjectList> {
    return api.projects({ q: words.trim(), archived, limit: this.#limit }, signal);
  }

  protected override delay({ topic, what }: ChangeEvent): number | undefined {
    if (topic === "projects") return 0;
    return topic === "memory" && what !== "updated" ? GATHER_MS : undefined;
  }

  search(words: string, archived: boolean): void {
    this.#limit = PAGE;
    this.ask({ words, archived }, 120);
  }

  /** Append the next page. */
  async more(): Promise<void> {
    const { value, loadedParams: { words, archived } = { words: "", archived: false } } = this;
    if (value?.cursor === undefined || value.cursor === null || this.isLoadingMore) return;
    this.isLoadingMore = true;
    try {
      const next = await api.projects({ q: words.trim(), archived, limit: PAGE, cursor: value.cursor }, this.signal);
      const known = new Set(value.projects.map((row) => row.key));
      this.#limit = Math.min(MOST, this.#limit + PAGE);
      this.set({ ...next, projects: [...value.projects, ...next.projects.filter((row) => !known.has(row.key))] });
    } catch (thrown) {
      reportFailure("Couldn't load more projects", thrown);
    } finally {
      this.isLoadingMore = false;
    }
  }
}
