/** The listed commits: loaded by page, and kept current by change events. */

import { api, type CommitRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";

import { COMMIT_URL, type CommitFilters } from "./commit-filters";

const GATHER_MS = 500;

/** Clones of a repository are projects of their own with the same commits. */
export type ListedCommit = CommitRow & { readonly id: string };

export class CommitRows extends PagedList<ListedCommit, CommitFilters> {
  protected override readonly maxPage = 200;
  protected override readonly resyncMs = GATHER_MS;

  constructor() {
    super(COMMIT_URL.none);
  }

  protected async readPage(
    { q, project }: CommitFilters,
    limit: number,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Page<ListedCommit>> {
    const page = await api.commits({ q: q.trim(), project, limit, cursor }, signal);
    return { rows: page.commits.map((commit) => ({ ...commit, id: `${commit.hash}@${commit.project}` })), cursor: page.cursor };
  }

  /** Take out a commit that was forgotten; the next read confirms it. */
  remove(id: string): void {
    if (this.value === undefined) return;
    this.value = { ...this.value, rows: this.rows.filter((row) => row.id !== id) };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "commits" ? GATHER_MS : undefined;
  }
}
