/** API calls of the Welcome page. Not part of `api`: only views that are loaded later need them. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type CaptureTrial = Schemas["CaptureTrialReply"];
export type TriedStatement = Schemas["TriedStatementRow"];

export const firstRunApi = {
  /** What capture would make of a text; nothing is stored. */
  tryText: (text: string, signal?: AbortSignal): Promise<CaptureTrial> =>
    unwrap(http.POST("/api/capture/try", { body: { text }, ...definedOnly({ signal }) })),

  startsAtLogin: async (signal?: AbortSignal): Promise<boolean> =>
    (await unwrap(http.GET("/api/start-at-login", definedOnly({ signal })))).on,

  /** Switch it; resolves to whether it is on now. */
  switchStartAtLogin: async (on: boolean): Promise<boolean> => (await unwrap(http.PUT("/api/start-at-login", { body: { on } }))).on,
};
