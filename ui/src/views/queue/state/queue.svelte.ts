/** The queue as the daemon tells it: counts, and the jobs that were given up. */

import { api, type JobList, type JobRow } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";
import { session } from "$lib/state/session.svelte";
import { Soon } from "$lib/state/soon";
import { toasts } from "$lib/state/toasts.svelte";

import { byType } from "./words";

const GATHER_MS = 300;
/** What waits moves on without a word for each job. */
const WORKING_MS = 2_000;
/** What one asks for at least, and at most. */
const PAGE = 50;
const MAX_PAGE = 500;
const ROOMS = ["jobs", "embeddings", "memory"];

export class Queue {
  phase = $state<"loading" | "ready" | "failed">("loading");
  dead = $state.raw<readonly JobRow[]>([]);
  more = $state<string>();
  list = $state.raw<JobList>();
  error = $state.raw<ApiError>();
  readonly lines = $derived(byType(this.list?.counts ?? []));
  #work = new AbortController();
  readonly #soon = new Soon(() => void this.load());
  #isFollowed = false;

  follow(): () => void {
    this.#isFollowed = true;
    const silence = session.onChange((change) => {
      this.hear(change);
    });
    void this.load();
    return () => {
      this.#isFollowed = false;
      silence();
      this.#work.abort();
      this.#soon.stop();
    };
  }

  hear(change: Changed | "resync"): void {
    if (change === "resync" || ROOMS.includes(change.room)) this.#soon.in(GATHER_MS);
  }

  /** Read it anew, as far as it was read. */
  async load(): Promise<void> {
    this.#work.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      let jobs: readonly JobRow[] = [];
      let list: JobList;
      let cursor: string | undefined;
      do {
        const limit = Math.max(PAGE, Math.min(MAX_PAGE, this.dead.length - jobs.length));
        list = await api.deadJobs(cursor, work.signal, limit);
        if (work.signal.aborted) return;
        jobs = [...jobs, ...list.jobs];
        cursor = list.next_cursor ?? undefined;
      } while (cursor !== undefined && jobs.length < this.dead.length);
      this.#take(list, jobs);
      this.phase = "ready";
      this.error = undefined;
    } catch (thrown) {
      if (isAbort(thrown) || work.signal.aborted) return;
      this.error = asApiError(thrown);
      // What was read before is better than nothing.
      if (this.list === undefined) this.phase = "failed";
    }
    const works = this.lines.some((line) => line.waiting + line.working > 0);
    if (this.#isFollowed && works) this.#soon.in(WORKING_MS);
  }

  #take(list: JobList, jobs: readonly JobRow[]): void {
    this.list = list;
    this.dead = jobs;
    this.more = list.next_cursor ?? undefined;
  }

  async loadMore(): Promise<void> {
    const from = this.more;
    if (from === undefined) return;
    try {
      const list = await api.deadJobs(from);
      // What was read anew meanwhile may end elsewhere.
      if (this.more === from) this.#take(list, [...this.dead, ...list.jobs]);
    } catch (thrown) {
      this.#told(thrown);
    }
  }

  async again(): Promise<void> {
    this.phase = "loading";
    await this.load();
  }

  retry(job: JobRow): Promise<void> {
    return this.#change(() => api.retryJob(job.id), "It is tried anew.");
  }

  retryAll(): Promise<void> {
    return this.#change(() => api.retryJobs(), "All are tried anew.");
  }

  discard(job: JobRow): Promise<void> {
    return this.#change(() => api.discardJob(job.id), "Discarded. Its memory is found by its words.");
  }

  async #change(call: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await call();
      toasts.add(done);
    } catch (thrown) {
      this.#told(thrown);
    }
    await this.load();
  }

  #told(thrown: unknown): void {
    const error = asApiError(thrown);
    toasts.add(error.message, { tone: "danger", hint: error.hint });
  }
}
