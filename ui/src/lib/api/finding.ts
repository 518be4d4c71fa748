/** The call that searches everything that Intaglio keeps. */

import type createClient from "openapi-fetch";

import { definedOnly, http, unwrap } from "./http";

export type FoundKind = "memory" | "entity" | "session" | "inbox" | "project" | "commit";

export interface FoundItem {
  kind: FoundKind;
  id: string;
  title: string;
  text: string;
  detail: string;
  words: string[];
  project: string | null;
  at: string | null;
  score: number;
}

export interface FoundGroup {
  kind: FoundKind;
  items: FoundItem[];
  more: boolean;
}

export interface FindReply {
  groups: FoundGroup[];
}

export interface FindQuery {
  readonly q: string;
  readonly project?: string | undefined;
  /** The most items of a kind. */
  readonly limit: number;
}

interface FindPaths {
  "/api/find": {
    get: {
      parameters: { query: { q: string; project?: string; limit?: number } };
      responses: { 200: { content: { "application/json": FindReply } } };
    };
  };
}

const calls = http as unknown as ReturnType<typeof createClient<FindPaths>>;

export const findingCalls = {
  /** What matches in all kinds of things, the group with the best item first. */
  find: ({ q, project, limit }: FindQuery, signal?: AbortSignal): Promise<FindReply> =>
    unwrap(calls.GET("/api/find", { params: { query: { q, limit, ...definedOnly({ project }) } }, ...definedOnly({ signal }) })),
};
