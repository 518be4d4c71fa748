/** API calls about timelines. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type EventTimeline = Schemas["TimelineReply"];
export type EventTimelineEvent = Schemas["TimelineEventRow"];

export const timelineCalls = {
  /** What happened to a memory, an entity, in a session or in a request, oldest first. */
  timeline: (id: string, signal?: AbortSignal): Promise<EventTimeline> =>
    unwrap(http.GET("/api/timeline/{subject}", { params: { path: { subject: id } }, ...definedOnly({ signal }) })),
};

/** The address of the same as a file. */
export function timelineExport(id: string): string {
  return `/api/timeline/${encodeURIComponent(id)}/export`;
}
