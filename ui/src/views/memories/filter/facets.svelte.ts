/** How many memories there are of each value under the filters in force; read calmly as things change. */

import { api, type FacetsReply } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";
import { asked, WHEN, type FilterSet, type When } from "$lib/memory/filters";

/** A filter that is just being changed may change once more. */
const SOON_MS = 150;
/** Memories come in bursts; counts may lag a little. */
const CALM_MS = 1_500;

export class FacetCounts {
  reply = $state.raw<FacetsReply>();
  error = $state.raw<ApiError>();
  /** How many there are of the last days, while someone looks at that. */
  spans = $state.raw<ReadonlyMap<When, number>>();
  #filters: FilterSet | undefined;
  #shown = $state("");
  /** What the reply counts. */
  #replied = $state("");
  #work = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  #hasSpans = false;

  /** The number of memories that match, where it is known of just these filters. */
  get total(): number | undefined {
    return this.#replied === this.#shown ? this.reply?.total : undefined;
  }

  /** Count for these filters from now on, or for none. What is known stays until newer counts come. */
  want(filters: FilterSet | undefined): void {
    const key = filters === undefined ? "" : JSON.stringify(filters);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#filters = filters;
    if (filters === undefined) this.stop();
    else this.#soon(this.reply === undefined ? 0 : SOON_MS);
  }

  /** Count the last days, too, from now on or no more: each is a count of its own. */
  wantSpans(wanted: boolean): void {
    if (wanted === this.#hasSpans) return;
    this.#hasSpans = wanted;
    this.spans = undefined;
    if (wanted && this.#filters !== undefined) this.#soon(0);
  }

  hear(change: Changed | "resync"): void {
    if (this.#filters === undefined) return;
    if (change === "resync" || change.room === "memory") this.#soon(CALM_MS);
  }

  retry(): void {
    if (this.#filters !== undefined) this.#soon(0);
  }

  stop(): void {
    this.#work.abort();
    clearTimeout(this.#timer);
    this.#due = Infinity;
    this.#filters = undefined;
    this.#shown = "";
    this.reply = undefined;
    this.spans = undefined;
    this.#hasSpans = false;
    this.error = undefined;
  }

  #soon(ms: number): void {
    const due = Date.now() + ms;
    if (this.#due <= due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#due = Infinity;
      void this.#read();
    }, ms);
  }

  async #read(): Promise<void> {
    if (this.#filters === undefined) return;
    this.#work.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      const filters = this.#filters;
      const key = this.#shown;
      this.reply = await api.facets(asked(filters, Date.now()), work.signal);
      this.#replied = key;
      this.error = undefined;
      if (this.#hasSpans) this.spans = await this.#readSpans(filters, work.signal);
    } catch (thrown) {
      if (!isAbort(thrown)) this.error = asApiError(thrown);
    }
  }

  async #readSpans(filters: FilterSet, signal: AbortSignal): Promise<ReadonlyMap<When, number>> {
    const counts = new Map<When, number>();
    // One after the other: they are counted by one reader, and what else is asked comes between.
    for (const when of WHEN) {
      const within = { ...filters, from: undefined, to: undefined, when };
      counts.set(when, (await api.facets(asked(within, Date.now()), signal)).total);
    }
    return counts;
  }
}
