/** The calls of language models and their proposals, page by page. */

import type { ChangeEvent } from "$lib/api/event-stream";
import { pipelineCalls, type ModelCallRow, type ProposalRow } from "$lib/api/pipeline";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";

const GATHER_MS = 1_000;

export interface CallFilters {
  readonly stage?: string | undefined;
  readonly outcome?: string | undefined;
}

export class ModelCalls extends PagedList<ModelCallRow, CallFilters> {
  protected readonly maxPage = 500;
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = GATHER_MS;

  protected async readPage(
    filters: CallFilters,
    limit: number,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<Page<ModelCallRow>> {
    const { calls, cursor } = await pipelineCalls.calls({ ...filters, limit, before }, signal);
    return { rows: calls, cursor };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "models" ? GATHER_MS : undefined;
  }
}

export interface ProposalFilters {
  readonly result?: ProposalRow["result"] | undefined;
}

export class Proposals extends PagedList<ProposalRow, ProposalFilters> {
  protected readonly maxPage = 500;
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = GATHER_MS;
  /** How many there were in the last seven days, by result. */
  counts = $state.raw<ReadonlyMap<ProposalRow["result"], number>>(new Map());

  protected async readPage(
    filters: ProposalFilters,
    limit: number,
    before: string | undefined,
    signal: AbortSignal,
  ): Promise<Page<ProposalRow>> {
    const { proposals, counts, cursor } = await pipelineCalls.proposals({ ...filters, limit, before }, signal);
    this.counts = new Map(counts.map(({ result, count }) => [result, count]));
    return { rows: proposals, cursor };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" || topic === "inbox" || topic === "models" ? GATHER_MS : undefined;
  }
}
