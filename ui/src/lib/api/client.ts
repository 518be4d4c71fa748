/** Typed calls to the daemon's API. Each resolves to data or throws ApiError. */

import { captureReviewCalls } from "./capture-review";
import { commitCalls } from "./commits";
import { entityCalls } from "./entities";
import { findingCalls } from "./finding";
import { harnessCalls } from "./harnesses";
import { definedOnly, http, unwrap } from "./http";
import { inboxCalls } from "./inbox";
import { logCalls } from "./logs";
import { memoryCalls } from "./memories";
import { modelCalls } from "./models";
import { previewCalls } from "./preview";
import { projectCalls } from "./projects";
import type { components } from "./schema";
import { sessionCalls } from "./sessions";
import { settingsCalls } from "./settings";

export { onRefusal } from "./http";
export type * from "./capture-review";
export type * from "./commits";
export type * from "./entities";
export type * from "./finding";
export type * from "./harnesses";
export type * from "./inbox";
export type * from "./logs";
export type * from "./memories";
export type * from "./models";
export type * from "./preview";
export type * from "./projects";
export type * from "./sessions";
export type * from "./settings";

type Schemas = components["schemas"];
export type EmbeddingStatus = Schemas["EmbeddingStatus"];
export type AgentRow = Schemas["AgentRow"];
export type AddAgent = Schemas["AddAgentRequest"];
export type ChangeAgent = Schemas["ChangeAgentRequest"];
export type JobList = Schemas["JobList"];
export type JobRow = Schemas["JobRow"];
export type Health = Schemas["Health"];
export type RetentionStatus = Schemas["RetentionStatus"];
export type Status = Schemas["Status"];
export type BackupList = Schemas["BackupList"];
export type BackupRow = Schemas["BackupRow"];
export type CaptureReply = Schemas["CaptureReply"];
export type CapturedSince = Schemas["CapturedSince"];
export type CapturePrecision = Schemas["CapturePrecisionReply"];
export type PauseRequest = Schemas["PauseRequest"];

export const api = {
  ...memoryCalls,
  ...inboxCalls,
  ...logCalls,
  ...captureReviewCalls,
  ...commitCalls,
  ...entityCalls,
  ...findingCalls,
  ...modelCalls,
  ...harnessCalls,
  ...previewCalls,
  ...projectCalls,
  ...sessionCalls,
  ...settingsCalls,

  health: (signal?: AbortSignal): Promise<Health> => unwrap(http.GET("/health", definedOnly({ signal }))),

  /** Who this browser is; fails with `isSignedOut` if it has no session. */
  whoAmI: (signal?: AbortSignal): Promise<Schemas["WhoAmI"]> => unwrap(http.GET("/api/auth/whoami", definedOnly({ signal }))),

  /** The full status; counting is costly, so request it only while it is shown. */
  status: (signal?: AbortSignal): Promise<Status> => unwrap(http.GET("/api/status", definedOnly({ signal }))),

  /** The backups and the copies that were saved aside, newest first. */
  copies: (signal?: AbortSignal): Promise<BackupList> => unwrap(http.GET("/api/backups", definedOnly({ signal }))),

  /** Replace the database with a copy; without a name, with the newest good one. */
  restore: async (name?: string): Promise<void> => {
    await unwrap(http.POST("/api/backups/restore", { body: name === undefined ? {} : { name } }));
  },

  /** Create an empty database in the place of a missing one. */
  createEmptyDatabase: async (): Promise<void> => {
    await unwrap(http.POST("/api/backups/create-empty"));
  },

  /** Embedding progress; null if no model is set up or the status is unavailable. */
  embedding: async (signal?: AbortSignal): Promise<EmbeddingStatus | null> =>
    (await unwrap(http.GET("/api/status", definedOnly({ signal })))).embedding ?? null,

  /** The retention periods; null while the database is unavailable. */
  retention: async (signal?: AbortSignal): Promise<RetentionStatus | null> =>
    (await unwrap(http.GET("/api/status", definedOnly({ signal })))).retention,

  /** Confirms that the clock is right after a jump. */
  confirmClock: async (): Promise<void> => {
    await unwrap(http.POST("/api/clock/confirm"));
  },

  capture: (signal?: AbortSignal): Promise<CaptureReply> => unwrap(http.GET("/api/capture", definedOnly({ signal }))),

  /** What capture did at or after a time. */
  captured: (since: string, signal?: AbortSignal): Promise<CapturedSince> =>
    unwrap(http.GET("/api/capture/since", { params: { query: { since } }, ...definedOnly({ signal }) })),

  /** What became of the latest memories that were saved without asking. */
  capturePrecision: (signal?: AbortSignal): Promise<CapturePrecision> =>
    unwrap(http.GET("/api/capture/precision", definedOnly({ signal }))),

  /** Without `minutes` and `until`, capture stays paused until resumed. */
  pause: (request: PauseRequest): Promise<CaptureReply> => unwrap(http.POST("/api/capture/pause", { body: request })),

  resume: (): Promise<CaptureReply> => unwrap(http.POST("/api/capture/resume")),

  /** All agents by ID, including archived ones. */
  agents: async (signal?: AbortSignal): Promise<AgentRow[]> => (await unwrap(http.GET("/api/agents", definedOnly({ signal })))).agents,

  /** Also restores an archived agent. */
  addAgent: (agent: AddAgent): Promise<AgentRow> => unwrap(http.POST("/api/agents", { body: agent })),

  changeAgent: (id: string, change: ChangeAgent): Promise<AgentRow> =>
    unwrap(http.PATCH("/api/agents/{agent_id}", { params: { path: { agent_id: id } }, body: change })),

  archiveAgent: (id: string): Promise<AgentRow> => unwrap(http.DELETE("/api/agents/{agent_id}", { params: { path: { agent_id: id } } })),

  /** Failed jobs, newest first, at most 500, with counts of all jobs. */
  deadJobs: (cursor?: string, signal?: AbortSignal, limit = 50): Promise<JobList> =>
    unwrap(
      http.GET("/api/jobs", {
        params: { query: { status: "dead", limit, ...definedOnly({ cursor }) } },
        ...definedOnly({ signal }),
      }),
    ),

  retryJob: (id: string): Promise<unknown> => unwrap(http.POST("/api/jobs/{job_id}/retry", { params: { path: { job_id: id } } })),

  retryJobs: async (): Promise<number> => (await unwrap(http.POST("/api/jobs/retry", { body: {} }))).affected,

  discardJob: (id: string): Promise<unknown> => unwrap(http.POST("/api/jobs/{job_id}/discard", { params: { path: { job_id: id } } })),
};
