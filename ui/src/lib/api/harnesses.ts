/** API calls about the agents' connections. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type HarnessRow = Schemas["HarnessRow"];
export type ConnectionPreview = Schemas["ConnectionPreview"];
export type ConnectionResult = Schemas["ConnectionResult"];
export type ConnectionChange = "connect" | "disconnect";

function send(id: string, change: ConnectionChange, body: Schemas["ConnectionRequest"]): Promise<ConnectionPreview | ConnectionResult> {
  const request = { params: { path: { harness: id } }, body };
  return unwrap(change === "connect" ? http.POST("/api/harnesses/{harness}/connect", request) : http.POST("/api/harnesses/{harness}/disconnect", request));
}

export const harnessCalls = {
  /** The agents that can be connected, those on this machine first. */
  harnesses: async (signal?: AbortSignal): Promise<HarnessRow[]> =>
    (await unwrap(http.GET("/api/harnesses", definedOnly({ signal })))).harnesses,

  /** What connecting or disconnecting would write to the agent's settings. */
  previewConnection: async (id: string, change: ConnectionChange): Promise<ConnectionPreview> =>
    (await send(id, change, { mode: "preview" })) as ConnectionPreview,

  /** Write exactly what the preview with this token shows; fails if the settings have changed since. */
  changeConnection: async (id: string, change: ConnectionChange, token: string): Promise<ConnectionResult> =>
    (await send(id, change, { mode: "apply", token })) as ConnectionResult,
};
