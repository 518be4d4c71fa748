/** API calls about the workspace's repository. Each resolves to data or throws ApiError. Not part of `api`: only views that are loaded later need them. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type GitStatus = Schemas["GitStatus"];
export type GitConfig = Schemas["GitConfig"];
export type GitConfigChange = Schemas["GitConfigChange"];
/** What pulling, pushing or both did; `success` is false with the reason in `message`. */
export type GitOutcome = Pick<Schemas["GitResult"], "success" | "message">;

export const gitApi = {
  status: (signal?: AbortSignal): Promise<GitStatus> => unwrap(http.GET("/api/git/status", definedOnly({ signal }))),
  pull: (): Promise<GitOutcome> => unwrap(http.POST("/api/git/pull")),
  push: (): Promise<GitOutcome> => unwrap(http.POST("/api/git/push")),
  /** Pull, then push. */
  sync: (): Promise<GitOutcome> => unwrap(http.POST("/api/git/sync")),
  config: (signal?: AbortSignal): Promise<GitConfig> => unwrap(http.GET("/api/git/config", definedOnly({ signal }))),
  configure: async (change: GitConfigChange): Promise<GitConfig> => (await unwrap(http.POST("/api/git/config", { body: change }))).config,
};
