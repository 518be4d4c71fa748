/** API calls about projects. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type ProjectRow = Schemas["ProjectRow"];
export type ProjectList = Schemas["ProjectList"];
export type ProjectDetail = Schemas["ProjectDetail"];

export const projectCalls = {
  /** Projects, the most recently active first; `q` is a part of a name or a path. */
  projects: (query: { q?: string; limit: number; cursor?: string | undefined }, signal: AbortSignal): Promise<ProjectList> =>
    unwrap(http.GET("/api/projects", { params: { query: { limit: query.limit, ...definedOnly(query) } }, signal })),

  /** A project with its identity; null for what applies to all projects. `since` asks what is new. */
  project: (key: string | null, since: string | undefined, signal: AbortSignal): Promise<ProjectDetail> => {
    const which = key === null ? { global: true } : { project: key };
    return unwrap(http.GET("/api/projects/detail", { params: { query: { ...which, ...definedOnly({ since }) } }, signal }));
  },
};
