/** API calls about commits. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type CommitRow = Schemas["CommitRow"];
export type CommitDetail = Schemas["CommitDetail"];
export type CommitList = Schemas["CommitList"];
export type CommitReading = Schemas["CommitReading"];
export type ComparedCommit = Schemas["ComparedCommit"];
export type MemoryCommits = Schemas["MemoryCommits"];
export type MemoryPlace = Schemas["MemoryPlaceRow"];
export type RelatedCommit = Schemas["RelatedCommit"];

/** A commit by its project and hash. */
export type CommitRef = Pick<CommitRow, "project" | "hash">;

export interface CommitQuery {
  readonly project?: string | undefined;
  /** Words of its message, or the beginning of its hash. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const at = ({ project, hash }: CommitRef) => ({ params: { path: { commit_hash: hash }, query: { project } } });

export const commitCalls = {
  /** A page of commits: the newest first, or what matches `q` best. */
  commits: (query: CommitQuery, signal?: AbortSignal): Promise<CommitList> =>
    unwrap(http.GET("/api/commits", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  commit: (commit: CommitRef, signal?: AbortSignal): Promise<CommitDetail> =>
    unwrap(http.GET("/api/commits/{commit_hash}", { ...at(commit), ...definedOnly({ signal }) })),

  forgetCommit: (commit: CommitRef): Promise<unknown> => unwrap(http.DELETE("/api/commits/{commit_hash}", at(commit))),

  restoreCommit: (commit: CommitRef): Promise<unknown> => unwrap(http.POST("/api/commits/{commit_hash}/restore", at(commit))),

  /** The commits that speak of a memory, and the places that it names. */
  memoryCommits: (id: string, signal?: AbortSignal): Promise<MemoryCommits> =>
    unwrap(http.GET("/api/memories/{memory_id}/commits", { params: { path: { memory_id: id } }, ...definedOnly({ signal }) })),

  /** What was read of a project's repository. */
  commitReading: (project: string, signal?: AbortSignal): Promise<CommitReading> =>
    unwrap(http.GET("/api/projects/commits", { params: { query: { project } }, ...definedOnly({ signal }) })),

  readCommits: (project: string): Promise<CommitReading> => unwrap(http.POST("/api/projects/commits/read", { body: { project } })),
};
