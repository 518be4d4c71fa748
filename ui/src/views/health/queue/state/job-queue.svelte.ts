/** The job queue: counts by type, and the failed jobs. */

import { api, type JobList, type JobRow } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import { countByType } from "./job-counts";

const GATHER_MS = 300;
/** Running jobs send no events, so the counts are polled. */
const WORKING_MS = 2_000;
/** The least and the most failed jobs per request. */
const PAGE = 50;
const MAX_PAGE = 500;
const WATCHED_PACKAGES = ["jobs", "embeddings", "memory"];

interface QueueReading {
  readonly list: JobList;
  /** The failed jobs loaded so far. */
  readonly dead: readonly JobRow[];
}

export class JobQueue extends Resource<QueueReading> {
  protected override readonly resyncMs = GATHER_MS;
  readonly list = $derived(this.value?.list);
  readonly dead = $derived(this.value?.dead ?? []);
  readonly more = $derived(this.list?.next_cursor ?? undefined);
  readonly lines = $derived(countByType(this.list?.counts ?? []));

  /** Reload as many failed jobs as were loaded before. */
  protected async read(signal: AbortSignal): Promise<QueueReading> {
    let jobs: readonly JobRow[] = [];
    let list: JobList;
    let cursor: string | undefined;
    do {
      const limit = Math.max(PAGE, Math.min(MAX_PAGE, this.dead.length - jobs.length));
      list = await api.deadJobs(cursor, signal, limit);
      signal.throwIfAborted();
      jobs = [...jobs, ...list.jobs];
      cursor = list.next_cursor ?? undefined;
    } while (cursor !== undefined && jobs.length < this.dead.length);
    return { list, dead: jobs };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return WATCHED_PACKAGES.includes(topic) ? GATHER_MS : undefined;
  }

  protected override interval(): number | undefined {
    return this.lines.some((line) => line.queued + line.running > 0) ? WORKING_MS : undefined;
  }

  async loadMore(): Promise<void> {
    const from = this.more;
    if (from === undefined) return;
    try {
      const list = await api.deadJobs(from);
      // A reload in the meantime may have ended at another cursor, and covers this page.
      if (this.more === from) this.value = { list, dead: [...this.dead, ...list.jobs] };
    } catch (thrown) {
      this.#reportError(thrown);
    }
  }

  retry(job: JobRow): Promise<void> {
    return this.#change(() => api.retryJob(job.id), "Retrying the job.");
  }

  retryAll(): Promise<void> {
    return this.#change(() => api.retryJobs(), "Retrying all failed jobs.");
  }

  discard(job: JobRow): Promise<void> {
    return this.#change(() => api.discardJob(job.id), "Job discarded.");
  }

  async #change(call: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await call();
      toasts.add(done);
    } catch (thrown) {
      this.#reportError(thrown);
    }
    await this.load();
  }

  #reportError(thrown: unknown): void {
    const error = asApiError(thrown);
    toasts.add(error.message, { tone: "danger", hint: error.hint });
  }
}
