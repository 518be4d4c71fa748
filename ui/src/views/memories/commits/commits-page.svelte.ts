/** The state of the list of commits: the current commit, and forgetting it. */

import { flushSync } from "svelte";

import { api } from "$lib/api/client";
import { shortHash } from "$lib/commits/commit-text";
import { ListPage } from "$lib/list/list-page.svelte";
import { rowInPlace } from "$lib/list/row-in-place";
import { reportFailure } from "$lib/memory/memory-actions";
import { projects } from "$lib/projects/projects.svelte";
import { offerUndo } from "$lib/state/undo";

import { COMMIT_URL, type CommitFilters } from "./commit-filters";
import { CommitRows, type ListedCommit } from "./commit-rows.svelte";

interface PaneHandle {
  readonly focus: () => void;
}

export class CommitsPage extends ListPage<ListedCommit, CommitFilters> {
  declare readonly items: CommitRows;
  /** Whether the commit is shown, where there is room for one pane only. */
  isReading = $state(false);
  readonly current = $derived.by(() => this.items.rows.find(({ id }) => id === this.active) ?? this.items.rows[0]);
  pane: PaneHandle | undefined;
  /** The rows before the last change, for when the current one goes away. */
  #previous: readonly ListedCommit[] = [];

  constructor() {
    super({ path: "/memories", group: "Commits", items: new CommitRows(), url: COMMIT_URL, isBeside: true, also: [projects] });
  }

  override get openId(): string | undefined {
    return this.isSinglePane ? undefined : this.current?.id;
  }

  override get front(): "first" | "second" {
    return this.isReading ? "second" : "first";
  }

  /** Where the current commit went away, the next one takes its place. */
  override follow(rows: readonly ListedCommit[]): void {
    this.active = rowInPlace(this.active, this.#previous, rows)?.id;
    this.#previous = rows;
    if (rows.length === 0) this.isReading = false;
  }

  override open(id: string): boolean {
    this.active = id;
    this.isReading = true;
    flushSync();
    if (this.isSinglePane) this.pane?.focus();
    return true;
  }

  override close(): void {
    this.isReading = false;
    flushSync();
    this.list?.move(0);
  }

  /** Forget the current commit: it isn't told, found or read again unless the user undoes it. */
  async forget(): Promise<void> {
    const commit = this.current;
    if (commit === undefined) return;
    const hadFocus = this.list?.hasFocus() === true;
    this.items.remove(commit.id);
    this.follow(this.items.rows);
    this.#showCurrent(hadFocus);
    try {
      await api.forgetCommit(commit);
      offerUndo({ text: `Forgot commit ${shortHash(commit.hash)}.`, undo: () => this.#restore(commit) });
    } catch (thrown) {
      reportFailure("Couldn't forget the commit", thrown);
      await this.#goTo(commit.id);
    }
  }

  async #restore(commit: ListedCommit): Promise<void> {
    await api.restoreCommit(commit);
    await this.#goTo(commit.id);
  }

  /** Read the list again; the commit is the current one if it is listed. */
  async #goTo(id: string): Promise<void> {
    const hadFocus = this.list?.hasFocus() === true;
    await this.items.load();
    if (!this.items.rows.some((row) => row.id === id)) return;
    this.active = id;
    this.#showCurrent(hadFocus);
  }

  /** Render the current row; the focus goes along if it was in the list. */
  #showCurrent(isFocused: boolean): void {
    flushSync();
    const place = this.items.rows.findIndex(({ id }) => id === this.active);
    if (isFocused && place >= 0) this.list?.focusRow(place);
  }
}
