/** The typed calls of the daemon that the dashboard uses. Each resolves to data or throws ApiError. */

import createClient from "openapi-fetch";

import type { ApiError} from "./errors";
import { isAbort, problemOf, unreachable } from "./errors";
import { pace } from "./pace";
import type { components, paths } from "./schema";

type Schemas = components["schemas"];
export type MemoryRow = Schemas["MemoryRow"];
export type MemoryList = Schemas["MemoryList"];
export type RecallResult = Schemas["RecallResult"];
export type HistoryEvent = Schemas["HistoryEvent"];
export type SimilarResult = Schemas["SimilarResult"];
export type EmbeddingStatus = Schemas["EmbeddingStatus"];
export type AgentRow = Schemas["AgentRow"];
export type AddAgent = Schemas["AddAgentRequest"];
export type ChangeAgent = Schemas["ChangeAgentRequest"];
export type JobList = Schemas["JobList"];
export type JobRow = Schemas["JobRow"];
export type Health = Schemas["Health"];
export type Status = Schemas["Status"];
export type BackupRow = Schemas["BackupRow"];
export type ModifyRequest = Schemas["ModifyRequest"];
export type MutationReply = Schemas["MutationReply"];
export type RememberReply = Schemas["RememberReply"];
export type CaptureReply = Schemas["CaptureReply"];
export type PauseRequest = Schemas["PauseRequest"];

export interface Filters {
  readonly type?: string | undefined;
  readonly project?: string | undefined;
  readonly pinned?: boolean | undefined;
  /** Whose memories; the user reads those of all agents. */
  readonly agent?: string | undefined;
  readonly visibility?: "global" | "private" | undefined;
}

/** What a person may say about a memory besides its text. */
export interface Kept {
  readonly project?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: string | undefined;
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

const listeners = new Set<(error: ApiError) => void>();

/** Hear of every refusal, so that one place can show "sign in first". */
export function onRefusal(hear: (error: ApiError) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

const http = createClient<paths>({
  baseUrl: location.origin,
  credentials: "same-origin",
  fetch: pace.timed((request) => fetch(request)),
});

async function settle<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    throw unreachable();
  }
  if (answer.data !== undefined && answer.response.ok) return answer.data;
  const error = problemOf(answer.response.status, answer.error);
  for (const hear of listeners) hear(error);
  throw error;
}

/** Leave out what is not set: an absent filter differs from an empty one. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ""),
  ) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

const at = (id: string): { params: { path: { memory_id: string } } } => ({
  params: { path: { memory_id: id } },
});

export const api = {
  health: (signal?: AbortSignal): Promise<Health> =>
    settle(http.GET("/health", given({ signal }))),

  /** The daemon in full; counting costs it something, so not more often than it is looked at. */
  status: (signal?: AbortSignal): Promise<Status> =>
    settle(http.GET("/api/status", given({ signal }))),

  /** The kept copies of the database, newest first. */
  backups: async (signal?: AbortSignal): Promise<BackupRow[]> =>
    (await settle(http.GET("/api/backups", given({ signal })))).backups,

  /** How far the memories have vectors; null where no model is set up, or none can be asked now. */
  embedding: async (signal?: AbortSignal): Promise<EmbeddingStatus | null> =>
    (await settle(http.GET("/api/status", given({ signal })))).embedding ?? null,

  memories: (
    query: Filters & { limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<MemoryList> =>
    settle(http.GET("/api/memories", { params: { query: given(query) }, signal })),

  /** What answers, best first; each with why it was found. */
  search: async (
    query: Filters & { q: string; limit: number },
    signal: AbortSignal,
  ): Promise<RecallResult[]> => {
    const { q, ...filters } = query;
    const params = { query: { q, explain: true, ...given(filters) } };
    return (await settle(http.GET("/api/memory/search", { params, signal }))).results;
  },

  memory: (id: string, signal?: AbortSignal): Promise<MemoryRow> =>
    settle(http.GET("/api/memory/{memory_id}", { ...at(id), ...given({ signal }) })),

  history: async (id: string, signal?: AbortSignal): Promise<HistoryEvent[]> =>
    (await settle(http.GET("/api/memory/{memory_id}/history", { ...at(id), ...given({ signal }) })))
      .history,

  /** The nearest in meaning; 404 while the memory has no vector. */
  similar: async (id: string, k: number, signal?: AbortSignal): Promise<SimilarResult[]> =>
    (await settle(http.GET("/memory/similar", { params: { query: { id, k } }, ...given({ signal }) })))
      .results,

  remember: (content: string, more: Kept): Promise<RememberReply> =>
    settle(
      http.POST("/api/memory/remember", {
        body: { content, who: "user", sourceType: "manual", ...given(more) },
      }),
    ),

  capture: (): Promise<CaptureReply> => settle(http.GET("/api/capture")),

  /** Without minutes and until: until somebody resumes. */
  pause: (request: PauseRequest): Promise<CaptureReply> =>
    settle(http.POST("/api/capture/pause", { body: request })),

  resume: (): Promise<CaptureReply> => settle(http.POST("/api/capture/resume")),

  modify: (id: string, changes: ModifyRequest): Promise<MutationReply> =>
    settle(http.PATCH("/api/memory/{memory_id}", { ...at(id), body: changes })),

  /** Never with `force`, which would erase for good. */
  forget: (id: string, reason: string, version: number): Promise<MutationReply> =>
    settle(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, if_version: version },
      }),
    ),

  /** All agents by id, archived ones too. */
  agents: async (signal?: AbortSignal): Promise<AgentRow[]> =>
    (await settle(http.GET("/api/agents", given({ signal })))).agents,

  /** Also brings an archived one back. */
  addAgent: (agent: AddAgent): Promise<AgentRow> => settle(http.POST("/api/agents", { body: agent })),

  changeAgent: (id: string, change: ChangeAgent): Promise<AgentRow> =>
    settle(http.PATCH("/api/agents/{agent_id}", { params: { path: { agent_id: id } }, body: change })),

  archiveAgent: (id: string): Promise<AgentRow> =>
    settle(http.DELETE("/api/agents/{agent_id}", { params: { path: { agent_id: id } } })),

  /** Delete it and every text of it for good, forgotten or not. */
  erase: (id: string, reason: string, version: number): Promise<MutationReply> =>
    settle(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, force: true, if_version: version },
      }),
    ),

  /** What was forgotten and can still be brought back, the latest first. */
  forgotten: (
    query: { limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<MemoryList> =>
    settle(
      http.GET("/api/memories", { params: { query: { deleted: true, ...given(query) } }, signal }),
    ),

  recover: (id: string, reason: string): Promise<MutationReply> =>
    settle(http.POST("/api/memory/{memory_id}/recover", { ...at(id), body: { reason } })),

  /** Given-up jobs, newest first, with counts of all jobs. */
  deadJobs: (cursor?: string, signal?: AbortSignal): Promise<JobList> =>
    settle(
      http.GET("/api/jobs", {
        params: { query: { status: "dead", limit: 50, ...given({ cursor }) } },
        ...given({ signal }),
      }),
    ),

  retryJob: (id: string): Promise<unknown> =>
    settle(http.POST("/api/jobs/{job_id}/retry", { params: { path: { job_id: id } } })),

  retryJobs: async (): Promise<number> =>
    (await settle(http.POST("/api/jobs/retry", { body: {} }))).affected,

  discardJob: (id: string): Promise<unknown> =>
    settle(http.POST("/api/jobs/{job_id}/discard", { params: { path: { job_id: id } } })),
};
