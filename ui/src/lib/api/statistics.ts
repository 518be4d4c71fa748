/** API calls about statistics. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Statistics = Schemas["Statistics"];
export type StatisticsRange = Statistics["range"];
export type StatisticsGroup = Schemas["StatisticsGroup"];
export type StatisticsPoint = Schemas["StatisticsPoint"];

export interface StatisticsQuery {
  readonly range: StatisticsRange;
  readonly project?: string | undefined;
}

/** Not part of `api`, so that it is loaded with the view only. */
export const statisticsCalls = {
  statistics: (query: StatisticsQuery, signal?: AbortSignal): Promise<Statistics> =>
    unwrap(http.GET("/api/statistics", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  /** All counts as CSV. */
  statisticsCsv: (query: StatisticsQuery): Promise<Blob> =>
    unwrap(http.GET("/api/statistics.csv", { params: { query: definedOnly(query) }, parseAs: "blob" })),
};
