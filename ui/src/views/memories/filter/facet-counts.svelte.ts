/** Facet counts under the active filters, refreshed at a moderate rate. */

import { api, type FacetsReply } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { queryOf, WHEN, type FilterSet, type When } from "$lib/memory/filters";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

/** Wait a moment: a filter that just changed may change again. */
const DEBOUNCE_MS = 150;
/** Memories arrive in bursts, and counts may lag a little. */
const BURST_MS = 1_500;

type Spans = ReadonlyMap<When, number>;

/** Counts for the relative periods; each needs its own request. */
class SpanCounts extends Resource<Spans, FilterSet> {
  protected async read(signal: AbortSignal, filters: FilterSet): Promise<Spans> {
    const counts = new Map<When, number>();
    // Sequential, so that other requests to the daemon get their turn.
    for (const when of WHEN) {
      const within = { ...filters, from: undefined, to: undefined, when };
      counts.set(when, (await api.facets(queryOf(within, Date.now()), signal)).total);
    }
    return counts;
  }
}

export class FacetCounts extends Resource<FacetsReply, FilterSet | undefined> {
  protected override readonly resyncMs = BURST_MS;
  readonly #spans = new SpanCounts();
  #hasSpans = false;

  get reply(): FacetsReply | undefined {
    return this.value;
  }

  /** Counts for the relative periods, while they are shown. */
  get spans(): Spans | undefined {
    return this.#spans.value;
  }

  /** The number of memories that match exactly these filters, if known. */
  get total(): number | undefined {
    return this.loadedParams === this.params ? this.value?.total : undefined;
  }

  /** Count for these filters, or stop counting. Former counts stay until new ones arrive. */
  want(filters: FilterSet | undefined): void {
    if (JSON.stringify(filters) === JSON.stringify(this.params)) return;
    if (filters === undefined) this.clear();
    else if (this.value === undefined) void this.load(filters);
    else this.ask(filters, DEBOUNCE_MS);
  }

  /** Start or stop counting the relative periods. */
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
    return topic === "memory" ? BURST_MS : undefined;
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
