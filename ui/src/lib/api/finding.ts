/** The call that searches everything that Intaglio keeps. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type FindReply = Schemas["FindReply"];
export type FoundGroup = Schemas["FoundGroup"];
export type FoundItem = Schemas["FoundItem"];
export type FoundKind = FoundItem["kind"];

export interface FindQuery {
  readonly q: string;
  readonly project?: string | undefined;
  /** The most items of a kind. */
  readonly limit: number;
}

export const findingCalls = {
  /** What matches in all kinds of things, the group with the best item first. */
  find: ({ q, project, limit }: FindQuery, signal?: AbortSignal): Promise<FindReply> =>
    unwrap(http.GET("/api/find", { params: { query: { q, limit, ...definedOnly({ project }) } }, ...definedOnly({ signal }) })),
};
