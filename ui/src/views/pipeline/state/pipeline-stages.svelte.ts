/** The stages of the pipeline, kept current, and what can be done with them. */

import { asApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { pipelineCalls, type StageList, type StageRow } from "$lib/api/pipeline";
import { plural } from "$lib/plural";
import { Resource } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";

const GATHER_MS = 500;
/** Running jobs send no events, so the counts are polled. */
const WORKING_MS = 2_000;
const WATCHED: readonly string[] = ["models", "jobs", "settings", "memory"];

export class PipelineStages extends Resource<StageList> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = GATHER_MS;
  protected override readonly pausesHidden = true;

  protected read(signal: AbortSignal): Promise<StageList> {
    return pipelineCalls.stages(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return WATCHED.includes(topic) ? GATHER_MS : undefined;
  }

  protected override interval(): number | undefined {
    const stages = this.value?.stages ?? [];
    return stages.some(({ running, waiting }) => running + waiting > 0) ? WORKING_MS : undefined;
  }

  /** Whether there is anything to show: a model, or what one has left behind. */
  get isUnused(): boolean {
    if (this.value === undefined) return false;
    const { models, stages } = this.value;
    return models.length === 0 && stages.every(({ week, waiting, failed_jobs }) => week.calls + waiting + failed_jobs === 0);
  }

  async pauseOrResume({ name, label, paused_at }: StageRow): Promise<void> {
    const isPaused = paused_at !== null;
    await this.#change(
      () => (isPaused ? pipelineCalls.resumeStage(name) : pipelineCalls.pauseStage(name)),
      () => (isPaused ? `${label}: resumed.` : `${label}: paused. Its work waits until you resume it.`),
    );
  }

  async retryFailed({ job_types }: StageRow): Promise<void> {
    await this.#change(
      () => pipelineCalls.retryFailed(job_types),
      (count) => `Retrying ${plural(count, "job")}.`,
    );
  }

  async #change<T>(call: () => Promise<T>, done: (result: T) => string): Promise<void> {
    try {
      toasts.add(done(await call()));
    } catch (thrown) {
      const error = asApiError(thrown);
      toasts.add(error.message, { tone: "danger", hint: error.hint });
    }
    await this.load();
  }
}
