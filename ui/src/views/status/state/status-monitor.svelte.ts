/** The daemon's status, polled while the view is open; the history of samples outlives the view. */

import { api, type BackupRow, type JobList, type Status } from "$lib/api/client";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

import { withSample, type Series } from "./process-history";

export const REFRESH_MS = 2_000;
const GATHER_MS = 300;
const BACKUPS_MS = 60_000;

class Backups extends Resource<readonly BackupRow[]> {
  protected async read(signal: AbortSignal): Promise<readonly BackupRow[]> {
    return (await api.copies(signal)).backups.filter((copy) => !copy.rescued);
  }
}

interface StatusReading {
  readonly status: Status;
  /** Undefined if the queue is empty. */
  readonly jobs: JobList | undefined;
  /** When it was read, by the local clock. */
  readonly at: number;
}

export class StatusMonitor extends Resource<StatusReading> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  series = $state.raw<Series>([]);
  /** The figures are unfolded, also when the page is opened again. */
  isDetailed = $state(false);
  readonly #backups = new Backups();

  /** Undefined if loading failed; the status still has the last backup. */
  get backups(): readonly BackupRow[] | undefined {
    return this.#backups.error === undefined ? this.#backups.value : undefined;
  }

  protected async read(signal: AbortSignal): Promise<StatusReading> {
    const status = await api.status(signal);
    const { pending, leased, dead } = status.queue;
    const jobs = pending + leased + dead > 0 ? await api.deadJobs(undefined, signal) : undefined;
    return { status, jobs, at: Date.now() };
  }

  protected override delay(): number {
    return GATHER_MS;
  }

  protected override interval(): number {
    return REFRESH_MS;
  }

  protected override settled(outcome: Outcome): void {
    if (outcome !== "ready" || this.value === undefined) return;
    this.series = withSample(this.series, this.value.status);
    // Backups change once a day; reload when the status reports a new one.
    const last = this.#backups.value?.find((backup) => !backup.in_future)?.created_at ?? null;
    const isNews = this.value.status.store.lastBackup !== last || this.backups === undefined;
    if (Date.now() - this.#backups.readAt >= (isNews ? REFRESH_MS : BACKUPS_MS)) void this.#backups.load();
  }

  /** Refresh now, whatever the last result was. */
  refreshNow(): void {
    void (this.value === undefined ? this.reload() : this.load());
  }

  override stop(): void {
    super.stop();
    this.#backups.stop();
  }
}

export const statusMonitor = new StatusMonitor();
