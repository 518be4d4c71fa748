/** API calls about health and repairs. Each resolves to data or throws ApiError. Not part of `api`: only views that are loaded later need them. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type HealthReport = Schemas["HealthReport"];
export type DomainRow = Schemas["DomainRow"];
export type CheckRow = Schemas["CheckRow"];
export type FigureRow = Schemas["FigureRow"];
export type IssueRow = Schemas["IssueRow"];
export type AgentHealthRow = Schemas["AgentHealthRow"];
export type BackupHealth = Schemas["BackupHealth"];
export type BackupRow = Schemas["BackupRow"];
export type BackupTestReply = Schemas["BackupTestReply"];
export type RepairList = Schemas["RepairList"];
export type RepairRow = Schemas["RepairRow"];
export type RepairRunRow = Schemas["RepairRunRow"];
export type RepairReply = Schemas["RepairReply"];

/** The most that one request may repair. */
const MOST_REPAIRED = 100_000;

export const healthApi = {
  /** What needs attention, the domains with their checks, the agents and the backups. */
  report: (signal?: AbortSignal): Promise<HealthReport> => unwrap(http.GET("/api/health", definedOnly({ signal }))),

  /** The repairs, their newest runs, and the maintenance. */
  repairs: (signal?: AbortSignal): Promise<RepairList> => unwrap(http.GET("/api/repair", definedOnly({ signal }))),

  /** Repair all that is wrong; with `dryRun`, only count what that would touch. */
  repair: (action: string, dryRun: boolean): Promise<RepairReply> =>
    unwrap(http.POST("/api/repair/{action}", { params: { path: { action } }, body: { dryRun, limit: MOST_REPAIRED } })),

  /** Undo a run; resolves to it, with what was done in its message. */
  undoRepair: (id: string): Promise<RepairRunRow> =>
    unwrap(http.POST("/api/repair/runs/{run_id}/undo", { params: { path: { run_id: id } } })),

  /** Make a backup now; may take a minute. */
  makeBackup: (): Promise<BackupRow> => unwrap(http.POST("/api/backups")),

  /** Restore the newest backup into a temporary folder and check it; may take minutes. */
  testBackup: (): Promise<BackupTestReply> => unwrap(http.POST("/api/backups/test", { body: {} })),
};
