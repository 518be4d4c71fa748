/** API calls about memories. Each resolves to data or throws ApiError. */

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
export type MemoryQuestions = Schemas["MemoryQuestions"];
export type Evidence = Schemas["InboxEvidence"];
export type RememberReply = Schemas["RememberReply"];

/** Results of a search, and how many weaker matches it left out. */
export interface Matches {
  readonly results: readonly RecallResult[];
  readonly weaker: number;
}

type SearchQuery = Filters & { q: string; limit: number; exactProject?: boolean; min_score?: number };
type ListQuery = NonNullable<operations["listMemories"]["parameters"]["query"]>;
type Order = { readonly [Name in "sort" | "group"]?: Exclude<ListQuery[Name], null> };
type FacetQuery = NonNullable<operations["countFacets"]["parameters"]["query"]>;
/** The filters of list, search and facet counts, as declared by the daemon. */
export type Filters = {
  readonly [Name in Exclude<keyof FacetQuery, "deleted" | "agentId">]?: Exclude<FacetQuery[Name], null> | undefined;
};

/** What can be set on a new memory besides its text. */
export interface RememberOptions {
  readonly project?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: string | undefined;
  readonly pinned?: boolean | undefined;
}

/** Expected versions by ID; memories with another version are left unchanged. */
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

/** Forget memories, or erase them with `force`. */
async function removeMany(versions: Versions, reason: string, force: boolean): Promise<RemovalReply> {
  const ids = [...versions.keys()];
  // The preview's token confirms exactly these memories.
  const preview = await unwrap(http.POST("/api/memory/forget", { body: { mode: "preview", ids, force } }));
  const confirm_token = "confirmToken" in preview ? preview.confirmToken : null;
  const body = { mode: "execute", ids, reason, force, confirm_token, if_versions: knownVersions(versions) };
  const reply = await unwrap(http.POST("/api/memory/forget", { body }));
  return "results" in reply ? reply : { results: [] };
}

/** The outcome of each; the daemon omits memories that no longer exist. */
function withMissing(versions: Versions, { results }: RemovalReply): Outcome[] {
  const named = new Set(results.map((result) => result.id));
  const gone = [...versions.keys()].filter((id) => !named.has(id)).map((id) => ({ id, status: "not_found" }));
  return [...results, ...gone];
}

export const memoryCalls = {
  memories: (query: Filters & Order & { limit: number; cursor?: string | undefined }, signal: AbortSignal): Promise<MemoryList> =>
    unwrap(http.GET("/api/memories", { params: { query: definedOnly(query) }, signal })),

  /**
   * Search results, best first, with match signals. A project's results include global ones, unless
   * `exactProject` is set; `min_score: 0` includes weaker matches.
   */
  search: async (query: SearchQuery, signal: AbortSignal): Promise<Matches> => {
    const { q, ...filters } = query;
    const params = { query: { q, explain: true, ...definedOnly(filters) } };
    const { results, weaker = 0 } = await unwrap(http.GET("/api/memory/search", { params, signal }));
    return { results, weaker };
  },

  memory: (id: string, signal?: AbortSignal): Promise<MemoryRow> =>
    unwrap(http.GET("/api/memory/{memory_id}", { ...at(id), ...definedOnly({ signal }) })),

  /** What happened to it, oldest first; of more than a thousand events the newest are missing. */
  history: async (id: string, signal?: AbortSignal): Promise<HistoryEvent[]> => {
    const params = { ...at(id).params, query: { limit: MOST_EVENTS } };
    return (await unwrap(http.GET("/api/memory/{memory_id}/history", { params, ...definedOnly({ signal }) }))).history;
  },

  /** What the user said that it is based on, oldest first; empty unless it was captured. */
  evidence: async (id: string, signal?: AbortSignal): Promise<Evidence[]> =>
    (await unwrap(http.GET("/api/memories/{memory_id}/evidence", { ...at(id), ...definedOnly({ signal }) }))).items,

  /** The questions by which searches find it, too. */
  memoryQuestions: (id: string, signal?: AbortSignal): Promise<MemoryQuestions> =>
    unwrap(http.GET("/api/memories/{memory_id}/questions", { ...at(id), ...definedOnly({ signal }) })),

  /** The most similar memories; 404 until the memory is embedded. */
  similar: async (id: string, k: number, signal?: AbortSignal): Promise<SimilarResult[]> =>
    (await unwrap(http.GET("/memory/similar", { params: { query: { id, k } }, ...definedOnly({ signal }) }))).results,

  remember: (content: string, more: RememberOptions): Promise<RememberReply> =>
    unwrap(
      http.POST("/api/memory/remember", {
        body: { content, who: "user", sourceType: "manual", ...definedOnly(more) },
      }),
    ),

  modify: (id: string, changes: ModifyRequest): Promise<MutationReply> =>
    unwrap(http.PATCH("/api/memory/{memory_id}", { ...at(id), body: changes })),

  /** Never with `force`, which would erase permanently. */
  forget: (id: string, reason: string, version: number): Promise<MutationReply> =>
    unwrap(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, if_version: version },
      }),
    ),

  /** Permanently erase a memory with its history, forgotten or not. */
  erase: (id: string, reason: string, version: number): Promise<MutationReply> =>
    unwrap(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, force: true, if_version: version },
      }),
    ),

  /** Permanently erase up to 200 memories; `places` lists external copies that may remain. */
  eraseMany: async (versions: Versions, reason: string): Promise<{ outcomes: Outcome[]; places: readonly string[] }> => {
    const reply = await removeMany(versions, reason, true);
    return { outcomes: withMissing(versions, reply), places: reply.outside ?? [] };
  },

  /** The forgotten memories that can still be restored, newest first. */
  forgotten: (query: Filters & { limit: number; cursor?: string | undefined }, signal: AbortSignal): Promise<MemoryList> =>
    unwrap(http.GET("/api/memories", { params: { query: { deleted: true, ...definedOnly(query) } }, signal })),

  /** Restore a memory, unless it changed since it was forgotten. */
  recover: (id: string, reason: string, version: number | undefined): Promise<MutationReply> =>
    unwrap(http.POST("/api/memory/{memory_id}/recover", { ...at(id), body: { reason, ...definedOnly({ if_version: version }) } })),

  /** Mark a memory as outdated: it is kept, and no longer told. */
  retire: (id: string, reason: string): Promise<MutationReply> =>
    unwrap(http.POST("/api/memory/{memory_id}/retire", { ...at(id), body: { reason } })),

  /** Use a replaced or outdated memory again. */
  reinstate: (id: string, reason: string): Promise<MutationReply> =>
    unwrap(http.POST("/api/memory/{memory_id}/reinstate", { ...at(id), body: { reason } })),

  /** Record how useful a memory was to a session, from -1 to 1; false while capture is paused. */
  rate: async (id: string, sessionKey: string, rating: number): Promise<boolean> =>
    (await unwrap(http.POST("/api/memory/feedback", { body: { sessionKey, feedback: { [id]: rating } } }))).recorded > 0,

  /** Facet counts; each field is counted without its own filter. */
  facets: (query: Filters & { deleted?: boolean }, signal: AbortSignal): Promise<FacetsReply> =>
    unwrap(http.GET("/api/memories/facets", { params: { query: definedOnly(query) }, signal })),

  /** Modify up to 200 memories independently; returns the outcome of each. */
  modifyMany: async (patches: readonly ({ id: string } & object)[], reason: string): Promise<Outcome[]> =>
    (await unwrap(http.POST("/api/memory/modify", { body: { reason, patches: [...patches] } }))).results,

  /** Forget up to 200 memories; those with another version stay. */
  forgetMany: async (versions: Versions, reason: string): Promise<Outcome[]> =>
    withMissing(versions, await removeMany(versions, reason, false)),

  /** Restore up to 200 memories; those with another version stay forgotten. */
  recoverMany: async (versions: Versions, reason: string): Promise<Outcome[]> => {
    const body = { ids: [...versions.keys()], reason, if_versions: knownVersions(versions) };
    return (await unwrap(http.POST("/api/memory/recover", { body }))).results;
  },
};
