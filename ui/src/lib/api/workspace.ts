/** API calls about the workspace's files and sync. Each resolves to data or throws ApiError. Not part of `api`: only views that are loaded later need them. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type WorkspaceState = Schemas["WorkspaceState"];
export type WorkspaceFile = Schemas["WorkspaceFile"];
export type WorkspaceConflict = Schemas["WorkspaceConflict"];
export type SyncTarget = Schemas["SyncTarget"];
export type SyncPreview = Schemas["SyncPreview"];
export type SyncResult = Schemas["SyncResult"];

export const workspaceApi = {
  /** The workspace's files, where they are written to, and when that last happened. */
  state: (signal?: AbortSignal): Promise<WorkspaceState> => unwrap(http.GET("/api/workspace", definedOnly({ signal }))),

  /** Write to all targets now. */
  sync: (): Promise<SyncResult> => unwrap(http.POST("/api/workspace/sync")),

  /** What would be written to a target now. */
  preview: (target: string, signal?: AbortSignal): Promise<SyncPreview> =>
    unwrap(http.GET("/api/workspace/targets/{target}", { params: { path: { target } }, ...definedOnly({ signal }) })),

  switchTarget: (target: string, enabled: boolean): Promise<WorkspaceState> =>
    unwrap(http.POST("/api/workspace/targets/{target}", { params: { path: { target } }, body: { enabled } })),

  /** Both texts of a conflict that waits in the inbox. */
  conflict: (item: string, signal?: AbortSignal): Promise<WorkspaceConflict> =>
    unwrap(http.GET("/api/workspace/conflicts/{item}", { params: { path: { item } }, ...definedOnly({ signal }) })),

  /** The text of a file directly in the workspace; null if it is missing, or no text of up to 1 MB. */
  fileText: async (name: string, signal?: AbortSignal): Promise<string | null> => {
    const { files } = await unwrap(http.GET("/api/config", definedOnly({ signal })));
    return files.find((file) => file.name === name)?.content ?? null;
  },

  /** Replace a file directly in the workspace, or create it. */
  writeFile: async (name: string, content: string): Promise<void> => {
    await unwrap(http.POST("/api/config", { body: { file: name, content } }));
  },
};
