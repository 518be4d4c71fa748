/** API calls about the inbox. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type InboxRow = Schemas["InboxRow"];
export type InboxMemory = Schemas["InboxMemory"];
export type InboxEntity = Schemas["InboxEntity"];
export type InboxChange = Schemas["InboxChange"];
export type InboxList = Schemas["InboxList"];
export type InboxCounts = Schemas["InboxCounts"];
export type ItemDecision = Schemas["ItemDecision"];
export type UserAction = Schemas["DecisionRequest"]["action"];

/** Which items are listed; without a project, those of all. */
export interface InboxQuery {
  readonly status: "open" | "done";
  readonly kind?: InboxRow["kind"] | undefined;
  readonly project?: string | undefined;
  /** Only what was said in the sessions of this import, or in this session. */
  readonly import?: string | undefined;
  readonly session?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What the user changes of a suggestion on keeping it; a null project means all projects. */
export interface SuggestionEdit {
  readonly content?: string;
  readonly type?: string;
  readonly project?: string | null;
}

/** The most items that one request decides on. */
const MOST_ITEMS = 1_000;

/** Send items in requests of the largest size, one after the other. */
async function inParts(
  ids: readonly string[],
  send: (part: string[]) => Promise<Schemas["DecisionList"]>,
): Promise<readonly ItemDecision[]> {
  const results: ItemDecision[] = [];
  for (let from = 0; from < ids.length; from += MOST_ITEMS) {
    results.push(...(await send(ids.slice(from, from + MOST_ITEMS))).results);
  }
  return results;
}

export const inboxCalls = {
  /** A page of items: open ones newest first, done ones by when they were decided on. */
  inbox: (query: InboxQuery, signal?: AbortSignal): Promise<InboxList> =>
    unwrap(http.GET("/api/inbox", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  /** The numbers of open items. */
  inboxCounts: (signal?: AbortSignal): Promise<InboxCounts> => unwrap(http.GET("/api/inbox/counts", definedOnly({ signal }))),

  /** Decide on one item; an edit is possible with `keep` only. */
  decide: (id: string, action: UserAction, edit: SuggestionEdit = {}): Promise<InboxRow> =>
    unwrap(http.POST("/api/inbox/{item_id}", { params: { path: { item_id: id } }, body: { action, ...edit } })),

  /** Decide the same on several items; each succeeds or fails alone. */
  decideMany: (ids: readonly string[], action: UserAction): Promise<readonly ItemDecision[]> =>
    inParts(ids, (part) => unwrap(http.POST("/api/inbox/bulk", { body: { ids: part, action } }))),

  /** Undo the decisions on items; each succeeds or fails alone. */
  undoDecisions: (ids: readonly string[]): Promise<readonly ItemDecision[]> =>
    inParts(ids, (part) => unwrap(http.POST("/api/inbox/undo", { body: { ids: part } }))),
};
