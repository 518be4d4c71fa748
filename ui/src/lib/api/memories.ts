/** The calls about memories, one or many. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components, operations } from "./schema";

type Schemas = components["schemas"];
export type MemoryRow = Schemas["MemoryRow"];
export type MemoryList = Schemas["MemoryList"];
export type RecallResult = Schemas["RecallResult"];
export type RecallReply = Schemas["RecallReply"];
export type HistoryEvent = Schemas["HistoryEvent"];
export type SimilarResult = Schemas["SimilarResult"];
export type FacetsReply = Schemas["FacetsReply"];
export type ModifyRequest = Schemas["ModifyRequest"];
export type MutationReply = Schemas["MutationReply"];
export type Outcome = Pick<Schemas["ItemReply"], "id" | "status" | "error" | "newVersion">;
export type RememberReply = Schemas["RememberReply"];

type FacetQuery = NonNullable<operations["countFacets"]["parameters"]["query"]>;
/** What a list, a search and the counts can be narrowed by, as the daemon declares it; the user is the reader. */
export type Filters = {
  readonly [Name in Exclude<keyof FacetQuery, "deleted" | "agentId">]?: Exclude<FacetQuery[Name], null> | undefined;
};

/** What a person may say about a memory besides its text. */
export interface RememberOptions {
  readonly project?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: string | undefined;
  readonly pinned?: boolean | undefined;
}

/** By id the version that was seen; one that has another by now is left alone. */
export type Versions = ReadonlyMap<string, number | undefined>;

function knownVersions(versions: Versions): Record<string, number> {
  return Object.fromEntries([...versions].flatMap(([id, version]) => (version === undefined ? [] : [[id, version]])));
}

/** The most that the daemon gives of a history. */
export const MOST_EVENTS = 1_000;

const at = (id: string): { params: { path: { memory_id: string } } } => ({
  params: { path: { memory_id: id } },
});

interface RemovalReply {
  readonly results: Outcome[];
  readonly outside?: readonly string[] | null | undefined;
}

/** Forget them, or erase them with force. */
async function removeMany(versions: Versions, reason: string, force: boolean): Promise<RemovalReply> {
  const ids = [...versions.keys()];
  // The preview's token confirms exactly these.
  const preview = await unwrap(http.POST("/api/memory/forget", { body: { mode: "preview", ids, force } }));
  const confirm_token = "confirmToken" in preview ? preview.confirmToken : null;
  const body = { mode: "execute", ids, reason, force, confirm_token, if_versions: knownVersions(versions) };
  const reply = await unwrap(http.POST("/api/memory/forget", { body }));
  return "results" in reply ? reply : { results: [] };
}

/** What became of each: the daemon does not tell of those that are there no longer. */
function withMissing(versions: Versions, { results }: RemovalReply): Outcome[] {
  const named = new Set(results.map((result) => result.id));
  const gone = [...versions.keys()].filter((id) => !named.has(id)).map((id) => ({ id, status: "not_found" }));
  return [...results, ...gone];
}

export const memoryCalls = {
  memories: (
    query: Filters & { limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<MemoryList> =>
    unwrap(http.GET("/api/memories", { params: { query: definedOnly(query) }, signal })),

  /** What answers, best first; each with why it was found. A project's answers hold the global ones too, unless it is to be exact. */
  search: async (
    query: Filters & { q: string; limit: number; exactProject?: boolean },
    signal: AbortSignal,
  ): Promise<RecallResult[]> => {
    const { q, ...filters } = query;
    const params = { query: { q, explain: true, ...definedOnly(filters) } };
    return (await unwrap(http.GET("/api/memory/search", { params, signal }))).results;
  },

  memory: (id: string, signal?: AbortSignal): Promise<MemoryRow> =>
    unwrap(http.GET("/api/memory/{memory_id}", { ...at(id), ...definedOnly({ signal }) })),

  /** What happened to it, oldest first; of more than a thousand events the newest are missing. */
  history: async (id: string, signal?: AbortSignal): Promise<HistoryEvent[]> => {
    const params = { ...at(id).params, query: { limit: MOST_EVENTS } };
    return (await unwrap(http.GET("/api/memory/{memory_id}/history", { params, ...definedOnly({ signal }) }))).history;
  },

  /** The nearest in meaning; 404 while the memory has no vector. */
  similar: async (id: string, k: number, signal?: AbortSignal): Promise<SimilarResult[]> =>
    (await unwrap(http.GET("/memory/similar", { params: { query: { id, k } }, ...definedOnly({ signal }) })))
      .results,

  remember: (content: string, more: RememberOptions): Promise<RememberReply> =>
    unwrap(
      http.POST("/api/memory/remember", {
        body: { content, who: "user", sourceType: "manual", ...definedOnly(more) },
      }),
    ),

  modify: (id: string, changes: ModifyRequest): Promise<MutationReply> =>
    unwrap(http.PATCH("/api/memory/{memory_id}", { ...at(id), body: changes })),

  /** Never with `force`, which would erase for good. */
  forget: (id: string, reason: string, version: number): Promise<MutationReply> =>
    unwrap(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, if_version: version },
      }),
    ),

  /** Delete it and every text of it for good, forgotten or not. */
  erase: (id: string, reason: string, version: number): Promise<MutationReply> =>
    unwrap(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, force: true, if_version: version },
      }),
    ),

  /** Erase at most 200 for good, forgotten or not; `places` may still hold their words. */
  eraseMany: async (versions: Versions, reason: string): Promise<{ outcomes: Outcome[]; places: readonly string[] }> => {
    const reply = await removeMany(versions, reason, true);
    return { outcomes: withMissing(versions, reply), places: reply.outside ?? [] };
  },

  /** What was forgotten and can still be brought back, the latest first. */
  forgotten: (
    query: Filters & { limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<MemoryList> =>
    unwrap(
      http.GET("/api/memories", { params: { query: { deleted: true, ...definedOnly(query) } }, signal }),
    ),

  /** Bring one back, as long as it is as it was forgotten. */
  recover: (id: string, reason: string, version: number | undefined): Promise<MutationReply> =>
    unwrap(http.POST("/api/memory/{memory_id}/recover", { ...at(id), body: { reason, ...definedOnly({ if_version: version }) } })),

  /** How many memories there are of each value, each field counted without its own filter. */
  facets: (query: Filters & { deleted?: boolean }, signal: AbortSignal): Promise<FacetsReply> =>
    unwrap(http.GET("/api/memories/facets", { params: { query: definedOnly(query) }, signal })),

  /** Change at most 200, each for itself; tells what became of each. */
  modifyMany: async (patches: readonly ({ id: string } & object)[], reason: string): Promise<Outcome[]> =>
    (await unwrap(http.POST("/api/memory/modify", { body: { reason, patches: [...patches] } }))).results,

  /** Forget at most 200; one that has another version by now stays. */
  forgetMany: async (versions: Versions, reason: string): Promise<Outcome[]> =>
    withMissing(versions, await removeMany(versions, reason, false)),

  /** Bring at most 200 back; one that has another version by now stays forgotten. */
  recoverMany: async (versions: Versions, reason: string): Promise<Outcome[]> => {
    const body = { ids: [...versions.keys()], reason, if_versions: knownVersions(versions) };
    return (await unwrap(http.POST("/api/memory/recover", { body }))).results;
  },
};
