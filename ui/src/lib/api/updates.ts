/** The calls about updates and what is new. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type UpdateCheck = Schemas["UpdateCheckReply"];
export type UpdateRun = Schemas["UpdateRunReply"];
export type Changelog = Schemas["ChangelogReply"];
export type ReleaseRow = Schemas["ReleaseRow"];

export const updateCalls = {
  /** What is known of updates; nobody is asked. */
  known: (signal?: AbortSignal): Promise<UpdateCheck> => unwrap(http.GET("/api/update/check", definedOnly({ signal }))),

  /** Ask the package manager for a newer version. */
  check: (): Promise<UpdateCheck> => unwrap(http.GET("/api/update/check", { params: { query: { force: true } } })),

  /** Run the package manager's command, which the user has confirmed. */
  run: (): Promise<UpdateRun> => unwrap(http.POST("/api/update/run", { body: { confirmed: true } })),

  changelog: (signal?: AbortSignal): Promise<Changelog> => unwrap(http.GET("/api/changelog", definedOnly({ signal }))),

  markSeen: (): Promise<unknown> => unwrap(http.POST("/api/changelog/seen")),
};
