/** Whether hooks capture what is said, or are paused. */

import { api, type CaptureReply, type PauseRequest } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { now } from "$lib/components/time/now.svelte";

import { Resource } from "./resource.svelte";
import { connection } from "./connection.svelte";
import { toasts } from "./toasts.svelte";

/** After the end of a pause, so that the daemon has ended it too. */
const MARGIN_MS = 50;

export interface Pause {
  /** The end as ISO-8601; null: until somebody resumes. */
  readonly until: string | null;
}

export class Capture extends Resource<CaptureReply> {
  /** The pause that runs; it ends by the clock, without a word from the daemon. */
  get pause(): Pause | undefined {
    if (this.value?.paused !== true) return undefined;
    const { until } = this.value;
    return until !== null && Date.parse(until) <= now() ? undefined : { until };
  }

  protected read(signal: AbortSignal): Promise<CaptureReply> {
    return api.capture(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "capture" ? 0 : undefined;
  }

  protected override interval(): number | undefined {
    const until = this.value?.paused === true ? this.value.until : null;
    return until === null ? undefined : Math.max(0, Date.parse(until) - Date.now()) + MARGIN_MS;
  }

  async begin(request: PauseRequest): Promise<void> {
    await this.#change(() => api.pause(request));
  }

  async resume(): Promise<void> {
    await this.#change(() => api.resume());
  }

  async #change(call: () => Promise<CaptureReply>): Promise<void> {
    try {
      this.set(await call());
      connection.signedOut = false;
    } catch (thrown) {
      const error = asApiError(thrown);
      toasts.add(error.title, { tone: "danger", hint: error.hint === "" ? error.message : error.hint });
    }
  }
}

export const capture = new Capture();
