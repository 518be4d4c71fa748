/** The state of the list of commits, and forgetting the current one. */

import { flushSync } from "svelte";

import { api } from "$lib/api/client";
import { shortHash } from "$lib/commits/commit-text";
import { ReadingPage } from "$lib/list/reading-page.svelte";
import { reportFailure } from "$lib/memory/memory-actions";
import { projects } from "$lib/projects/projects.svelte";
import { offerUndo } from "$lib/state/undo";

import { COMMIT_URL, type CommitFilters } from "./commit-filters";
import { CommitRows, type ListedCommit } from "./commit-rows.svelte";

export class CommitsPage extends ReadingPage<ListedCommit, CommitFilters> {
  declare readonly items: CommitRows;

  constructor() {
    super({ path: "/memories", group: "Commits", items: new CommitRows(), url: COMMIT_URL, isBeside: true, also: [projects] });
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
