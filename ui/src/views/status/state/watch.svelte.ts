/** The daemon's status, read again and again while somebody looks; the samples outlive the view. */

import { api, type BackupRow, type JobList, type Status } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import { session } from "$lib/state/session.svelte";

import { sampled, type Series } from "./samples";

export const EVERY_MS = 2_000;
const GATHER_MS = 300;
const BACKUPS_MS = 60_000;

export class Watch {
  phase = $state<"loading" | "ready" | "failed">("loading");
  status = $state.raw<Status>();
  jobs = $state.raw<JobList>();
  backups = $state.raw<readonly BackupRow[]>();
  series = $state.raw<Series>([]);
  /** When the status was last read, by this machine's clock; 0 before that. */
  readAt = $state(0);
  error = $state.raw<ApiError>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  #work: AbortController | undefined;
  #isFollowed = false;
  #backupsAt = -Infinity;

  /** Read now and every two seconds; returns what ends it. */
  follow(): () => void {
    this.#isFollowed = true;
    const silence = session.onChange(() => { this.#soon(GATHER_MS); });
    const seen = (): void => {
      if (document.hidden) this.#rest();
      else this.#soon(0);
    };
    document.addEventListener("visibilitychange", seen);
    this.#soon(0);
    return () => {
      this.#isFollowed = false;
      silence();
      document.removeEventListener("visibilitychange", seen);
      this.#rest();
    };
  }

  /** Read at once, whatever came of the last reading. */
  again(): void {
    if (this.status === undefined) this.phase = "loading";
    this.#soon(0);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = Infinity;
    this.#work?.abort();
    this.#work = undefined;
  }

  #soon(ms: number): void {
    const due = Date.now() + ms;
    // An event only brings the next reading forward.
    if (!this.#isFollowed || document.hidden || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => void this.#read(), ms);
  }

  async #read(): Promise<void> {
    this.#timer = undefined;
    this.#due = Infinity;
    this.#work?.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      const status = await api.status(work.signal);
      const { pending, leased, dead } = status.queue;
      this.jobs = pending + leased + dead > 0 ? await api.deadJobs(undefined, work.signal) : undefined;
      this.status = status;
      this.series = sampled(this.series, status);
      this.readAt = Date.now();
      this.phase = "ready";
      this.error = undefined;
      await this.#readBackups(status, work.signal);
    } catch (thrown) {
      if (isAbort(thrown) || work.signal.aborted) return;
      this.error = asApiError(thrown);
      if (this.status === undefined) this.phase = "failed";
    }
    // A daemon that is lost tells of its return, and that is read at once.
    if (this.error?.code !== "unreachable" || session.link === "live") this.#soon(EVERY_MS);
  }

  /** They change once a day; a new last one is news at once. */
  async #readBackups(status: Status, signal: AbortSignal): Promise<void> {
    const isNews = status.store.lastBackup !== (this.backups?.[0]?.created_at ?? null);
    if (!isNews && Date.now() - this.#backupsAt < BACKUPS_MS) return;
    if (isNews && Date.now() - this.#backupsAt < EVERY_MS) return;
    this.#backupsAt = Date.now();
    try {
      this.backups = await api.backups(signal);
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      // The status names the last one all the same.
      this.backups = undefined;
    }
  }
}

export const watch = new Watch();
