/** API calls about the daemon's log. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type LogRow = Schemas["LogRow"];
export type LogList = Schemas["LogList"];
export type LogLevel = LogRow["level"];

/** Which lines are wanted: of this level or above, of a part, between two times, with these words. */
export interface LogQuery {
  readonly level?: LogLevel | undefined;
  readonly category?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly requestId?: string | undefined;
  readonly q?: string | undefined;
}

interface LogPageQuery extends LogQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export const logCalls = {
  /** A page of the log, newest last. */
  logs: (query: LogPageQuery, signal?: AbortSignal): Promise<LogList> =>
    unwrap(http.GET("/api/logs", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),
};
