/** API calls about projects. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type ProjectRow = Schemas["ProjectRow"];
export type ProjectList = Schemas["ProjectList"];
export type ProjectDetail = Schemas["ProjectDetail"];
export type ProjectChange = Schemas["ProjectChangeRequest"];
export type ProjectChangeReply = Schemas["ProjectChangeReply"];
export type ProjectSettingRow = Schemas["ProjectSettingRow"];
export type ProjectSettings = Schemas["ProjectSettingsReply"];
export type ProjectSettingsChange = Schemas["ProjectSettingsChange"];
export type ProjectMoves = Schemas["ProjectMoves"];
export type PossibleMove = Schemas["PossibleMove"];
export type DetectedMove = Schemas["DetectedMove"];

export const projectCalls = {
  /** Projects, the most recently active first; `q` is a part of a name or a path. Archived ones are listed apart. */
  projects: (
    query: { q?: string; archived?: boolean; limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<ProjectList> =>
    unwrap(http.GET("/api/projects", { params: { query: { limit: query.limit, ...definedOnly(query) } }, signal })),

  /** A project with its identity; null for what applies to all projects. `since` asks what is new. */
  project: (key: string | null, since: string | undefined, signal: AbortSignal): Promise<ProjectDetail> => {
    const which = key === null ? { global: true } : { project: key };
    return unwrap(http.GET("/api/projects/detail", { params: { query: { ...which, ...definedOnly({ since }) } }, signal }));
  },

  /** Change a whole project, or preview that. */
  changeProject: (change: ProjectChange, signal?: AbortSignal): Promise<ProjectChangeReply> =>
    unwrap(http.POST("/api/projects/changes", { body: change, ...definedOnly({ signal }) })),

  undoProjectChange: (id: string): Promise<unknown> => unwrap(http.POST("/api/projects/changes/undo", { body: { id } })),

  /** What is set for a project, and what holds for it generally. */
  projectSettings: (project: string, signal?: AbortSignal): Promise<ProjectSettings> =>
    unwrap(http.GET("/api/projects/settings", { params: { query: { project } }, ...definedOnly({ signal }) })),

  /** Set values for a project, all or none; null lets the general value hold. Refused with a consequence that isn't `confirmed`. */
  changeProjectSettings: (project: string, changes: Schemas["SettingChange"][], confirmed = false): Promise<ProjectSettingsChange> =>
    unwrap(http.PUT("/api/projects/settings", { body: { project, changes, confirmed } })),

  /** Projects whose directory may have moved, and moves that were detected lately. */
  projectMoves: (signal: AbortSignal): Promise<ProjectMoves> => unwrap(http.GET("/api/projects/moves", { signal })),
};
