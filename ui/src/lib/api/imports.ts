/** API calls about the import of history. Each resolves to data or throws ApiError. Not part of `api`: only views that are loaded later need them. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type ImportSource = Schemas["ImportSource"];
export type ImportSources = Schemas["ImportSources"];
export type ImportPreview = Schemas["ImportPreview"];
export type ImportSample = Schemas["ImportSample"];
export type ImportRun = Schemas["ImportRun"];
export type ImportedSession = Schemas["ImportedSession"];
export type ImportedSessionPage = Schemas["ImportedSessionPage"];
export type KeepMode = ImportRun["keep"];
export type Upload = Schemas["Upload"];

const at = (id: string): { params: { path: { import_id: string } } } => ({ params: { path: { import_id: id } } });

export const importApi = {
  /** What can be imported, and the import that is running. */
  sources: (signal?: AbortSignal): Promise<ImportSources> => unwrap(http.GET("/api/imports/sources", definedOnly({ signal }))),

  /** What importing these sources would keep, estimated from a sample; takes seconds. */
  preview: (sources: readonly string[], project: string | null, signal?: AbortSignal): Promise<ImportPreview> =>
    unwrap(http.POST("/api/imports/preview", { body: { sources: [...sources], project }, ...definedOnly({ signal }) })),

  /** Start an import; without a project, what has none waits in the inbox. */
  start: (sources: readonly string[], keep: KeepMode, project: string | null): Promise<ImportRun> =>
    unwrap(http.POST("/api/imports", { body: { sources: [...sources], keep, project } })),

  /** The imports, newest first. */
  list: async (signal?: AbortSignal): Promise<readonly ImportRun[]> =>
    (await unwrap(http.GET("/api/imports", definedOnly({ signal })))).imports,

  get: (id: string, signal?: AbortSignal): Promise<ImportRun> =>
    unwrap(http.GET("/api/imports/{import_id}", { ...at(id), ...definedOnly({ signal }) })),

  /** A page of the sessions of an import, newest first. */
  sessions: (id: string, limit: number, cursor?: string, signal?: AbortSignal): Promise<ImportedSessionPage> =>
    unwrap(
      http.GET("/api/imports/{import_id}/sessions", {
        params: { path: { import_id: id }, query: { limit, ...definedOnly({ cursor }) } },
        ...definedOnly({ signal }),
      }),
    ),

  cancel: (id: string): Promise<ImportRun> => unwrap(http.POST("/api/imports/{import_id}/cancel", at(id))),

  /** Begin the upload of an export. */
  beginUpload: (name: string, size: number): Promise<Upload> => unwrap(http.POST("/api/imports/uploads", { body: { name, size } })),

  upload: (id: string): Promise<Upload> => unwrap(http.GET("/api/imports/uploads/{upload}", { params: { path: { upload: id } } })),

  /** Send a part of an export, at most 8 MB; after the last one it is read, which takes a while. */
  sendPart: (id: string, offset: number, part: Blob): Promise<Upload> =>
    unwrap(
      http.PUT("/api/imports/uploads/{upload}", {
        params: { path: { upload: id }, query: { offset } },
        // Bytes without a type: the daemon takes no other type than JSON from a page.
        headers: { "content-type": null },
        body: part as never,
        bodySerializer: (body) => body as unknown as Blob,
      }),
    ),

  /** Delete an upload; what was imported of it stays. */
  deleteUpload: async (id: string): Promise<void> => {
    await unwrap(http.DELETE("/api/imports/uploads/{upload}", { params: { path: { upload: id } } }));
  },
};
