/** How many memories there are of each value under the filters in force; read calmly as things change. */

import { api, type FacetsReply } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { queryOf, WHEN, type FilterSet, type When } from "$lib/memory/filters";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

/** A filter that is just being changed may change once more. */
const SOON_MS = 150;
/** Memories come in bursts; counts may lag a little. */
const CALM_MS = 1_500;

type Spans = ReadonlyMap<When, number>;

/** How many there are of the last days: each is a count of its own. */
class SpanCounts extends Resource<Spans, FilterSet> {
  protected async read(signal: AbortSignal, filters: FilterSet): Promise<Spans> {
    const counts = new Map<When, number>();
    // One after the other: they are counted by one reader, and what else is asked comes between.
    for (const when of WHEN) {
      const within = { ...filters, from: undefined, to: undefined, when };
      counts.set(when, (await api.facets(queryOf(within, Date.now()), signal)).total);
    }
    return counts;
  }
}

export class FacetCounts extends Resource<FacetsReply, FilterSet | undefined> {
  protected override readonly resyncMs = CALM_MS;
  readonly #spans = new SpanCounts();
  #hasSpans = false;

  get reply(): FacetsReply | undefined {
    return this.value;
  }

  /** How many there are of the last days, while someone looks at that. */
  get spans(): Spans | undefined {
    return this.#spans.value;
  }

  /** The number of memories that match, where it is known of just these filters. */
  get total(): number | undefined {
    return this.loadedParams === this.params ? this.value?.total : undefined;
  }

  /** Count for these filters from now on, or for none. What is known stays until newer counts come. */
  want(filters: FilterSet | undefined): void {
    if (JSON.stringify(filters) === JSON.stringify(this.params)) return;
    if (filters === undefined) this.clear();
    else if (this.value === undefined) void this.load(filters);
    else this.ask(filters, SOON_MS);
  }

  /** Count the last days, too, from now on or no more. */
  wantSpans(wanted: boolean): void {
    if (wanted === this.#hasSpans) return;
    this.#hasSpans = wanted;
    this.#spans.clear();
    if (wanted) this.#countSpans();
  }

  #countSpans(): void {
    if (this.params === undefined) return;
    void this.#spans.load(this.params).then((outcome) => {
      if (outcome === "failed") this.error = this.#spans.error;
    });
  }

  protected read(signal: AbortSignal, filters: FilterSet | undefined): Promise<FacetsReply> {
    return api.facets(queryOf(filters ?? {}, Date.now()), signal);
  }

  protected override settled(outcome: Outcome): void {
    if (outcome === "ready" && this.#hasSpans) this.#countSpans();
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" ? CALM_MS : undefined;
  }

  override handleChange(change: ChangeEvent | "resync"): void {
    if (this.params !== undefined) super.handleChange(change);
  }

  retry(): void {
    if (this.params !== undefined) void this.load();
  }

  override clear(): void {
    this.params = undefined;
    this.#hasSpans = false;
    this.#spans.clear();
    super.clear();
  }
}
