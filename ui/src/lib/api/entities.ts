/** API calls about entities. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components, operations } from "./schema";

type Schemas = components["schemas"];
export type EntityRow = Schemas["EntityRow"];
export type EntityType = EntityRow["entityType"];
export type EntityListItem = Schemas["EntityListItem"];
export type EntityList = Schemas["EntityList"];
export type EntityDetail = Schemas["EntityDetail"];
export type EntityMemory = Schemas["EntityMemory"];
export type EntityMemoryList = Schemas["EntityMemoryList"];
export type EntityChangeRow = Schemas["EntityChangeRow"];
export type EntityChangeReply = Schemas["EntityChangeReply"];
export type EntityPatch = Schemas["EntityPatch"];
export type PinnedEntity = Schemas["PinnedEntity"];
export type AliasRow = Schemas["AliasRow"];
export type AspectItem = Schemas["AspectItem"];
export type AspectList = Schemas["AspectList"];
export type AttributeRow = Schemas["AttributeRow"];
export type AttributeChange = Schemas["AttributeChange"];
export type DependencyRow = Schemas["DependencyRow"];
export type Neighborhood = Schemas["Neighborhood"];
export type NeighborNode = Schemas["NeighborNode"];
export type NeighborEdge = Schemas["NeighborEdge"];

type ListQuery = NonNullable<operations["listEntities"]["parameters"]["query"]>;
export type EntityQuery = { readonly [Name in Exclude<keyof ListQuery, "agentId">]?: Exclude<ListQuery[Name], null> | undefined };

/** The id of the facts that have no aspect yet. */
export const UNCLASSIFIED = "unclassified";
const MOST_FACTS = 200;

const at = (id: string): { params: { path: { entity_id: string } } } => ({ params: { path: { entity_id: id } } });

export const entityCalls = {
  /** A page of entities: pinned ones first, then the most mentioned. */
  entities: (query: EntityQuery, signal?: AbortSignal): Promise<EntityList> =>
    unwrap(http.GET("/api/knowledge/entities", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  pinnedEntities: (signal?: AbortSignal): Promise<PinnedEntity[]> =>
    unwrap(http.GET("/api/knowledge/entities/pinned", definedOnly({ signal }))),

  /** An entity; of one that was merged, the one that it counts as. */
  entity: (id: string, signal?: AbortSignal): Promise<EntityDetail> =>
    unwrap(http.GET("/api/knowledge/entities/{entity_id}", { ...at(id), ...definedOnly({ signal }) })),

  aliases: async (id: string, signal?: AbortSignal): Promise<AliasRow[]> =>
    (await unwrap(http.GET("/api/knowledge/entities/{entity_id}/aliases", { ...at(id), ...definedOnly({ signal }) }))).items,

  aspects: (id: string, signal?: AbortSignal): Promise<AspectList> =>
    unwrap(http.GET("/api/knowledge/entities/{entity_id}/aspects", { ...at(id), ...definedOnly({ signal }) })),

  /** The facts of an aspect, constraints first; at most 200. */
  facts: async (id: string, aspect: string, signal?: AbortSignal): Promise<AttributeRow[]> => {
    const params = { path: { entity_id: id, aspect_id: aspect }, query: { limit: MOST_FACTS } };
    return (
      await unwrap(http.GET("/api/knowledge/entities/{entity_id}/aspects/{aspect_id}/attributes", { params, ...definedOnly({ signal }) }))
    ).items;
  },

  dependencies: async (id: string, signal?: AbortSignal): Promise<DependencyRow[]> =>
    (await unwrap(http.GET("/api/knowledge/entities/{entity_id}/dependencies", { ...at(id), ...definedOnly({ signal }) }))).items,

  entityMemories: (id: string, limit: number, cursor: string | undefined, signal?: AbortSignal): Promise<EntityMemoryList> =>
    unwrap(
      http.GET("/api/knowledge/entities/{entity_id}/memories", {
        params: { ...at(id).params, query: { limit, ...definedOnly({ cursor }) } },
        ...definedOnly({ signal }),
      }),
    ),

  /** The entities up to `depth` steps away, and what connects them. */
  neighborhood: (id: string, depth: number, signal?: AbortSignal): Promise<Neighborhood> =>
    unwrap(
      http.GET("/api/knowledge/entities/{entity_id}/neighbors", {
        params: { ...at(id).params, query: { depth } },
        ...definedOnly({ signal }),
      }),
    ),

  entityChanges: async (id: string, signal?: AbortSignal): Promise<EntityChangeRow[]> =>
    (await unwrap(http.GET("/api/knowledge/entities/{entity_id}/changes", { ...at(id), ...definedOnly({ signal }) }))).items,

  pinEntity: (id: string): Promise<Schemas["PinReply"]> =>
    unwrap(http.POST("/api/knowledge/entities/{entity_id}/pin", { ...at(id), body: {} })),

  unpinEntity: (id: string): Promise<Schemas["PinReply"]> => unwrap(http.DELETE("/api/knowledge/entities/{entity_id}/pin", at(id))),

  suppressEntity: (id: string): Promise<Schemas["SuppressReply"]> =>
    unwrap(http.POST("/api/knowledge/entities/{entity_id}/suppress", at(id))),

  unsuppressEntity: (id: string): Promise<Schemas["SuppressReply"]> =>
    unwrap(http.DELETE("/api/knowledge/entities/{entity_id}/suppress", at(id))),

  changeEntity: (id: string, body: EntityPatch): Promise<EntityChangeReply> =>
    unwrap(http.PATCH("/api/knowledge/entities/{entity_id}", { ...at(id), body })),

  /** Merge an entity into another one, as which it counts from then on. */
  mergeEntity: (id: string, into: string): Promise<EntityChangeReply> =>
    unwrap(http.POST("/api/knowledge/entities/{entity_id}/merge", { ...at(id), body: { into } })),

  /** Make a new entity of memories that are about something else; the reply contains it. */
  splitEntity: (id: string, body: Schemas["SplitRequest"]): Promise<EntityChangeReply> =>
    unwrap(http.POST("/api/knowledge/entities/{entity_id}/split", { ...at(id), body })),

  addAlias: (id: string, alias: string): Promise<EntityChangeReply> =>
    unwrap(http.POST("/api/knowledge/entities/{entity_id}/aliases", { ...at(id), body: { alias } })),

  removeAlias: (id: string, alias: string): Promise<EntityChangeReply> =>
    unwrap(http.DELETE("/api/knowledge/entities/{entity_id}/aliases/{alias_id}", { params: { path: { entity_id: id, alias_id: alias } } })),

  undoEntityChange: (change: string): Promise<EntityChangeReply> =>
    unwrap(http.POST("/api/knowledge/changes/{change_id}/undo", { params: { path: { change_id: change } } })),

  changeFact: (id: string, body: AttributeChange): Promise<AttributeRow> =>
    unwrap(http.PATCH("/api/knowledge/attributes/{attribute_id}", { params: { path: { attribute_id: id } }, body })),
};
