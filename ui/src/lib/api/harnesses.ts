/** API calls about the agents' connections. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type HarnessRow = Schemas["HarnessRow"];
export type HarnessList = Schemas["HarnessList"];
export type McpEndpoints = Schemas["McpEndpoints"];
export type ConnectionPreview = Schemas["ConnectionPreview"];
export type ConnectionResult = Schemas["ConnectionResult"];
export type HookTestReply = Schemas["HookTestReply"];
export type ConnectionChange = "connect" | "disconnect";

function send(id: string, change: ConnectionChange, body: Schemas["ConnectionRequest"]): Promise<ConnectionPreview | ConnectionResult> {
  const request = { params: { path: { harness: id } }, body };
  return unwrap(
    change === "connect"
      ? http.POST("/api/harnesses/{harness}/connect", request)
      : http.POST("/api/harnesses/{harness}/disconnect", request),
  );
}

export const harnessCalls = {
  /** The agents that can be connected, those on this machine first, and how other MCP clients are. */
  harnesses: (signal?: AbortSignal): Promise<HarnessList> => unwrap(http.GET("/api/harnesses", definedOnly({ signal }))),

  /** The installed version of each agent by its id, "" if it isn't known. Runs the agents' programs. */
  harnessVersions: async (signal: AbortSignal): Promise<Readonly<Record<string, string>>> =>
    (await unwrap(http.GET("/api/harnesses/versions", { signal }))).versions,

  /** Run the agent's own hook, and say whether it reaches the daemon; takes up to ten seconds. */
  testHook: (id: string): Promise<HookTestReply> =>
    unwrap(http.POST("/api/harnesses/{harness}/test", { params: { path: { harness: id } } })),

  /** What connecting, with the tools or without, or disconnecting would write to the agent's settings. */
  previewConnection: async (id: string, change: ConnectionChange, tools?: boolean): Promise<ConnectionPreview> =>
    (await send(id, change, { mode: "preview", tools: tools ?? null })) as ConnectionPreview,

  /** Write exactly what the preview with this token shows; fails if the settings have changed since. */
  changeConnection: async (id: string, change: ConnectionChange, token: string, tools?: boolean): Promise<ConnectionResult> =>
    (await send(id, change, { mode: "apply", token, tools: tools ?? null })) as ConnectionResult,
};
