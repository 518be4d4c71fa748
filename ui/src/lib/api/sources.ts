/** API calls about taking back what came from a source. Each resolves to data or throws ApiError. Not part of `api`: only views that are loaded later need them. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
/** A session, an import, a file, an agent or a tool, by its id, path or name. */
export type MemorySource = Schemas["RemovedSource"];
export type SourceMemory = Schemas["SourceMemory"];
export type SourceRow = Schemas["SourceRow"];
export type SourceRemoval = Schemas["SourceRemoval"];
export type SourceRemovalPreview = Schemas["SourceRemovalPreview"];

const REASON = "taken back in the dashboard";

export const sourceApi = {
  /** The imports, files, agents and tools that memories came from, those with most memories first. */
  sources: async (signal?: AbortSignal): Promise<readonly SourceRow[]> =>
    (await unwrap(http.GET("/api/sources", definedOnly({ signal })))).sources,

  /** What taking a source back would remove. */
  previewTakeBack: async (source: MemorySource, signal?: AbortSignal): Promise<SourceRemovalPreview> => {
    const call = http.POST("/api/sources/take-back", { body: { source, mode: "preview" }, ...definedOnly({ signal }) });
    return (await unwrap(call)) as SourceRemovalPreview;
  },

  /** Remove what a preview listed; with `elsewhere`, also what came from another source too. */
  takeBack: async (source: MemorySource, confirmToken: string, elsewhere: boolean): Promise<SourceRemoval> => {
    const body = { source, mode: "execute", confirmToken, elsewhere, reason: REASON } as const;
    return (await unwrap(http.POST("/api/sources/take-back", { body }))) as SourceRemoval;
  },

  /** What was taken back, newest first. */
  takenBack: async (signal?: AbortSignal): Promise<readonly SourceRemoval[]> =>
    (await unwrap(http.GET("/api/sources/taken-back", definedOnly({ signal })))).removals,

  undoTakeBack: (id: string): Promise<SourceRemoval> =>
    unwrap(http.POST("/api/sources/taken-back/{removal_id}/undo", { params: { path: { removal_id: id } } })),
};
