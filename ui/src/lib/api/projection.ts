/** API calls about maps of memories. Each resolves to data or throws ApiError. */

import type { Filters } from "./client";
import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type ProjectionState = Schemas["ProjectionState"];
export type MapLabels = Schemas["MapLabels"];
export type MapMatches = Schemas["MapMatches"];
export type Constellation = Schemas["Constellation"];
export type ConstellationEntity = Constellation["entities"][number];

/** Which memories a map is of: a project's, an agent's, or all. */
export interface MapScope {
  readonly project: string | undefined;
  readonly agent: string | undefined;
}

const queryOf = ({ project, agent }: MapScope): { project?: string; agent?: string } => definedOnly({ project, agent });
const NOT_MODIFIED = 304;
/** The most that the daemon gives. */
const MOST_MATCHES = 100_000;

export const projectionCalls = {
  mapState: (scope: MapScope, signal?: AbortSignal): Promise<ProjectionState> =>
    unwrap(http.GET("/api/embeddings/projection/state", { params: { query: queryOf(scope) }, ...definedOnly({ signal }) })),

  /** Lay out the map of a scope anew. */
  runMap: (scope: MapScope, dimensions: (2 | 3)[]): Promise<ProjectionState> =>
    unwrap(http.POST("/api/embeddings/projection/runs", { body: { ...queryOf(scope), dimensions } })),

  cancelMapRun: (scope: MapScope): Promise<ProjectionState> =>
    unwrap(http.DELETE("/api/embeddings/projection/runs", { params: { query: queryOf(scope) } })),

  /** The binary map; undefined if it's still the one of this token. */
  mapPoints: async (
    scope: MapScope,
    dimensions: 2 | 3,
    token: string | undefined,
    signal: AbortSignal,
  ): Promise<ArrayBuffer | undefined> => {
    const headers = token === undefined ? {} : { "If-None-Match": `"${token}"` };
    const call = http.GET("/api/embeddings/projection/points", {
      params: { query: { ...queryOf(scope), dimensions } },
      parseAs: "arrayBuffer",
      headers,
      signal,
    });
    const { response } = await call.catch(() => ({ response: undefined }));
    if (response?.status === NOT_MODIFIED) return undefined;
    return unwrap(call);
  },

  mapEdges: (scope: MapScope, token: string, signal: AbortSignal): Promise<ArrayBuffer> =>
    unwrap(
      http.GET("/api/embeddings/projection/edges", {
        params: { query: { ...queryOf(scope), token } },
        parseAs: "arrayBuffer",
        signal,
      }),
    ),

  mapLabels: (scope: MapScope, token: string, signal: AbortSignal): Promise<MapLabels> =>
    // The client types tuples as arrays.
    unwrap(
      http.GET("/api/embeddings/projection/labels", { params: { query: { ...queryOf(scope), token } }, signal }),
    ) as Promise<MapLabels>,

  /** The memories of a map that match filters. */
  mapMatches: (scope: MapScope, filters: Filters, signal: AbortSignal): Promise<MapMatches> =>
    unwrap(
      http.GET("/api/embeddings/projection/matches", {
        params: { query: { ...definedOnly(filters), ...queryOf(scope), limit: MOST_MATCHES } },
        signal,
      }),
    ),

  /** The most important entities, where they stand in the map of the scope, and how they depend on each other. */
  mapEntities: (scope: MapScope, signal: AbortSignal): Promise<Constellation> =>
    unwrap(http.GET("/api/knowledge/constellation", { params: { query: queryOf(scope) }, signal })) as Promise<Constellation>,
};
