/** Whether hooks capture what is said, or are paused. */

import { api, type CaptureReply, type PauseRequest } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";
import { now } from "$lib/parts/time/now.svelte";

import { session } from "./session.svelte";
import { toasts } from "./toasts.svelte";

/** A browser's timers run no longer than this. */
const LONGEST_MS = 2 ** 31 - 1;

export interface Pause {
  /** The end as ISO-8601; null: until somebody resumes. */
  readonly until: string | null;
}

export class Capture {
  #told = $state.raw<CaptureReply>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The pause that runs; it ends by the clock, without a word from the daemon. */
  get pause(): Pause | undefined {
    const told = this.#told;
    if (told?.paused !== true) return undefined;
    if (told.until !== null && Date.parse(told.until) <= now()) return undefined;
    return { until: told.until };
  }

  /** Ask now and after each change; returns what ends it. */
  start(): () => void {
    const silence = session.onChange((change) => { this.hear(change); });
    void this.#ask();
    return () => {
      silence();
      clearTimeout(this.#timer);
    };
  }

  hear(change: Changed | "resync"): void {
    if (change === "resync" || change.room === "capture") void this.#ask();
  }

  async begin(request: PauseRequest): Promise<void> {
    await this.#change(() => api.pause(request));
  }

  async resume(): Promise<void> {
    await this.#change(() => api.resume());
  }

  async #ask(): Promise<void> {
    try {
      this.#take(await api.capture());
    } catch {
      // The link shows that the daemon is away; what was told last stands until it is back.
    }
  }

  async #change(call: () => Promise<CaptureReply>): Promise<void> {
    try {
      this.#take(await call());
      session.signedOut = false;
    } catch (thrown) {
      const error = asApiError(thrown);
      toasts.add(error.title, { tone: "danger", hint: error.hint === "" ? error.message : error.hint });
    }
  }

  #take(told: CaptureReply): void {
    this.#told = told;
    clearTimeout(this.#timer);
    if (!told.paused || told.until === null) return;
    const wait = Math.max(0, Date.parse(told.until) - Date.now()) + 50;
    this.#timer = setTimeout(() => void this.#ask(), Math.min(wait, LONGEST_MS));
  }
}

export const capture = new Capture();
