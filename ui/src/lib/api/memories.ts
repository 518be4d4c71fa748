/** The calls about memories, one or many. Each resolves to data or throws ApiError. */

import { given, http, settle } from "./http";
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

type Asked = NonNullable<operations["countFacets"]["parameters"]["query"]>;
/** What a list, a search and the counts can be narrowed by, as the daemon declares it; the user is the reader. */
export type Filters = {
  readonly [Name in Exclude<keyof Asked, "deleted" | "agentId">]?: Exclude<Asked[Name], null> | undefined;
};

/** What a person may say about a memory besides its text. */
export interface Kept {
  readonly project?: string | undefined;
  readonly type?: string | undefined;
  readonly tags?: string | undefined;
}

/** By id the version that was seen; one that has another by now is left alone. */
export type Versions = ReadonlyMap<string, number | undefined>;

function seen(versions: Versions): Record<string, number> {
  return Object.fromEntries([...versions].flatMap(([id, version]) => (version === undefined ? [] : [[id, version]])));
}

const at = (id: string): { params: { path: { memory_id: string } } } => ({
  params: { path: { memory_id: id } },
});

interface Removed {
  readonly results: Outcome[];
  readonly outside?: readonly string[] | null | undefined;
}

/** Forget them, or erase them with force. */
async function removeMany(versions: Versions, reason: string, force: boolean): Promise<Removed> {
  const ids = [...versions.keys()];
  // The preview's token confirms exactly these.
  const preview = await settle(http.POST("/api/memory/forget", { body: { mode: "preview", ids, force } }));
  const confirm_token = "confirmToken" in preview ? preview.confirmToken : null;
  const body = { mode: "execute", ids, reason, force, confirm_token, if_versions: seen(versions) };
  const reply = await settle(http.POST("/api/memory/forget", { body }));
  return "results" in reply ? reply : { results: [] };
}

/** What became of each: the daemon does not tell of those that are there no longer. */
function told(versions: Versions, { results }: Removed): Outcome[] {
  const named = new Set(results.map((result) => result.id));
  const gone = [...versions.keys()].filter((id) => !named.has(id)).map((id) => ({ id, status: "not_found" }));
  return [...results, ...gone];
}

export const memoryCalls = {
  memories: (
    query: Filters & { limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<MemoryList> =>
    settle(http.GET("/api/memories", { params: { query: given(query) }, signal })),

  /** What answers, best first; each with why it was found. A project's answers hold the global ones too, unless it is to be exact. */
  search: async (
    query: Filters & { q: string; limit: number; exactProject?: boolean },
    signal: AbortSignal,
  ): Promise<RecallResult[]> => {
    const { q, ...filters } = query;
    const params = { query: { q, explain: true, ...given(filters) } };
    return (await settle(http.GET("/api/memory/search", { params, signal }))).results;
  },

  memory: (id: string, signal?: AbortSignal): Promise<MemoryRow> =>
    settle(http.GET("/api/memory/{memory_id}", { ...at(id), ...given({ signal }) })),

  history: async (id: string, signal?: AbortSignal): Promise<HistoryEvent[]> =>
    (await settle(http.GET("/api/memory/{memory_id}/history", { ...at(id), ...given({ signal }) })))
      .history,

  /** The nearest in meaning; 404 while the memory has no vector. */
  similar: async (id: string, k: number, signal?: AbortSignal): Promise<SimilarResult[]> =>
    (await settle(http.GET("/memory/similar", { params: { query: { id, k } }, ...given({ signal }) })))
      .results,

  remember: (content: string, more: Kept): Promise<RememberReply> =>
    settle(
      http.POST("/api/memory/remember", {
        body: { content, who: "user", sourceType: "manual", ...given(more) },
      }),
    ),

  modify: (id: string, changes: ModifyRequest): Promise<MutationReply> =>
    settle(http.PATCH("/api/memory/{memory_id}", { ...at(id), body: changes })),

  /** Never with `force`, which would erase for good. */
  forget: (id: string, reason: string, version: number): Promise<MutationReply> =>
    settle(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, if_version: version },
      }),
    ),

  /** Delete it and every text of it for good, forgotten or not. */
  erase: (id: string, reason: string, version: number): Promise<MutationReply> =>
    settle(
      http.DELETE("/api/memory/{memory_id}", {
        ...at(id),
        body: { reason, force: true, if_version: version },
      }),
    ),

  /** Erase at most 200 for good, forgotten or not; `places` may still hold their words. */
  eraseMany: async (versions: Versions, reason: string): Promise<{ outcomes: Outcome[]; places: readonly string[] }> => {
    const reply = await removeMany(versions, reason, true);
    return { outcomes: told(versions, reply), places: reply.outside ?? [] };
  },

  /** What was forgotten and can still be brought back, the latest first. */
  forgotten: (
    query: Filters & { limit: number; cursor?: string | undefined },
    signal: AbortSignal,
  ): Promise<MemoryList> =>
    settle(
      http.GET("/api/memories", { params: { query: { deleted: true, ...given(query) } }, signal }),
    ),

  /** Bring one back, as long as it is as it was forgotten. */
  recover: (id: string, reason: string, version: number | undefined): Promise<MutationReply> =>
    settle(http.POST("/api/memory/{memory_id}/recover", { ...at(id), body: { reason, ...given({ if_version: version }) } })),

  /** How many memories there are of each value, each field counted without its own filter. */
  facets: (query: Filters & { deleted?: boolean }, signal: AbortSignal): Promise<FacetsReply> =>
    settle(http.GET("/api/memories/facets", { params: { query: given(query) }, signal })),

  /** Change at most 200, each for itself; tells what became of each. */
  modifyMany: async (patches: readonly ({ id: string } & object)[], reason: string): Promise<Outcome[]> =>
    (await settle(http.POST("/api/memory/modify", { body: { reason, patches: [...patches] } }))).results,

  /** Forget at most 200; one that has another version by now stays. */
  forgetMany: async (versions: Versions, reason: string): Promise<Outcome[]> =>
    told(versions, await removeMany(versions, reason, false)),

  /** Bring at most 200 back; one that has another version by now stays forgotten. */
  recoverMany: async (versions: Versions, reason: string): Promise<Outcome[]> => {
    const body = { ids: [...versions.keys()], reason, if_versions: seen(versions) };
    return (await settle(http.POST("/api/memory/recover", { body }))).results;
  },
};
