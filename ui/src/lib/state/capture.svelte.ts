/** Whether capture is paused. */

import { api, type CaptureReply, type PauseRequest } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { now } from "$lib/components/time/now.svelte";

import { Resource } from "./resource.svelte";
import { toasts } from "./toasts.svelte";
import { ChangedSinceError, offerUndo } from "./undo";

/** Wait this long past the end of a pause, so that the daemon has ended it too. */
const MARGIN_MS = 50;

export interface Pause {
  /** The end as ISO-8601; null: until resumed. */
  readonly until: string | null;
}

export class Capture extends Resource<CaptureReply> {
  /** The current pause; it ends by the clock, without an event from the daemon. */
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
    await this.#change(() => api.pause(request), "Capture paused.");
  }

  async resume(): Promise<void> {
    await this.#change(() => api.resume(), "Capture resumed.");
  }

  async #change(call: () => Promise<CaptureReply>, text: string): Promise<void> {
    try {
      // Without the former state there is nothing to go back to.
      if (this.value === undefined) await this.load();
      const isKnown = this.value !== undefined;
      const former = this.pause;
      const made = await call();
      this.set(made);
      if (isKnown && !isSame(former, made)) offerUndo({ text, undo: () => this.#putBack(former, made) });
    } catch (thrown) {
      const error = asApiError(thrown);
      toasts.add(error.title, { tone: "danger", hint: error.hint === "" ? error.message : error.hint });
    }
  }

  /** Restore the former state, unless it changed since. Anything captured in between stays. */
  async #putBack(former: Pause | undefined, made: CaptureReply): Promise<void> {
    if (!isSame(pauseOf(made), await api.capture())) throw new ChangedSinceError();
    if (former === undefined) this.set(await api.resume());
    else this.set(await api.pause(former.until === null ? {} : { until: former.until }));
  }
}

function pauseOf({ paused, until }: CaptureReply): Pause | undefined {
  return paused ? { until } : undefined;
}

/** Whether capture is in this state. */
function isSame(pause: Pause | undefined, reply: CaptureReply): boolean {
  const now = pauseOf(reply);
  return (pause === undefined) === (now === undefined) && pause?.until === now?.until;
}

export const capture = new Capture();
