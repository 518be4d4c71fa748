/** API calls about the pipeline of language models. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type StageList = Schemas["StageList"];
export type StageRow = Schemas["StageRow"];
export type ModelCallRow = Schemas["ModelCallRow"];
export type ModelCallList = Schemas["ModelCallList"];
export type ProposalRow = Schemas["ProposalRow"];
export type ProposalList = Schemas["ProposalList"];

interface PageQuery {
  readonly limit: number;
  readonly before?: string | undefined;
}

interface CallQuery extends PageQuery {
  readonly stage?: string | undefined;
  readonly outcome?: string | undefined;
}

interface ProposalQuery extends PageQuery {
  readonly result?: ProposalRow["result"] | undefined;
}

/** Not part of `api`, so that it is loaded with the view only. */
export const pipelineCalls = {
  /** All stages, the models that they ask, and what was used today. */
  stages: (signal?: AbortSignal): Promise<StageList> => unwrap(http.GET("/api/pipeline/stages", definedOnly({ signal }))),

  /** A page of calls, newest first. */
  calls: (query: CallQuery, signal?: AbortSignal): Promise<ModelCallList> =>
    unwrap(http.GET("/api/pipeline/calls", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  /** A page of proposals, newest first. */
  proposals: (query: ProposalQuery, signal?: AbortSignal): Promise<ProposalList> =>
    unwrap(http.GET("/api/pipeline/proposals", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  pauseStage: async (stage: string): Promise<void> => {
    await unwrap(http.POST("/api/pipeline/stages/{stage}/pause", { params: { path: { stage } } }));
  },

  resumeStage: async (stage: string): Promise<void> => {
    await unwrap(http.POST("/api/pipeline/stages/{stage}/resume", { params: { path: { stage } } }));
  },

  /** Retry the failed jobs of some types; resolves to how many there were. */
  retryFailed: async (types: readonly string[]): Promise<number> => {
    let count = 0;
    for (const type of types) count += (await unwrap(http.POST("/api/jobs/retry", { body: { type } }))).affected;
    return count;
  },
};
