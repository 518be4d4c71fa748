/** API calls about sessions. Each resolves to data or throws ApiError. */

import { definedOnly, http, unwrap } from "./http";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type SessionRow = Schemas["SessionRow"];
export type SessionList = Schemas["SessionList"];
type Reply = Schemas["SessionDetail"];
type ReplyInjection = Reply["injections"][number];
/** A memory that was told or left out, as it is now. */
export type InjectionLine = ReplyInjection["lines"][number] & Schemas["ToldMemory"];
export type Injection = Omit<ReplyInjection, "lines"> & { lines: InjectionLine[] };
export type SessionDetail = Omit<Reply, "injections" | "memories"> & { injections: Injection[] };
export type SessionStatement = SessionDetail["statements"][number];
export type AskedPrompt = SessionDetail["prompts"][number];
export type SavedMemory = SessionDetail["saved"][number];
export type ReplacedMemory = SessionDetail["replaced"][number];
export type SessionClaim = SessionDetail["claims"][number];
export type SessionReminder = SessionDetail["reminders"][number];
export type ConsideredStatement = SessionDetail["considered"][number];
export type Checkpoint = Schemas["CheckpointRow"];

/** Which sessions are listed. */
export interface SessionQuery {
  readonly project?: string | undefined;
  /** Only sessions without a project. */
  readonly globalOnly?: true | undefined;
  readonly harness?: string | undefined;
  readonly agent?: string | undefined;
  /** Times of the last activity. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The ID of a memory that they were told, or that comes from them. */
  readonly memory?: string | undefined;
  /** Words in the title, prompts, what was told and what was kept. */
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

const ERASED: Schemas["ToldMemory"] = {
  content: null,
  type: null,
  version: null,
  changed: null,
  validUntil: null,
  pinned: false,
  project: null,
  state: "erased",
};

/** Put each memory into its lines: the reply has it once. */
function withMemories({ memories, ...session }: Reply): SessionDetail {
  const lines = (each: ReplyInjection): InjectionLine[] => each.lines.map((line) => ({ ...line, ...(memories[line.memoryId] ?? ERASED) }));
  return { ...session, injections: session.injections.map((each) => ({ ...each, lines: lines(each) })) };
}

const at = (id: string): { params: { path: { session_id: string } } } => ({ params: { path: { session_id: id } } });

export const sessionCalls = {
  /** A page of sessions, the latest active first. */
  sessions: (query: SessionQuery, signal?: AbortSignal): Promise<SessionList> =>
    unwrap(http.GET("/api/sessions", { params: { query: definedOnly(query) }, ...definedOnly({ signal }) })),

  session: async (id: string, signal?: AbortSignal): Promise<SessionDetail> =>
    withMemories(await unwrap(http.GET("/api/sessions/{session_id}", { ...at(id), ...definedOnly({ signal }) }))),

  /** Save a statement that capture neither kept nor offered; returns the memory's ID. */
  keepConsidered: async (id: string, statement: number): Promise<string> => {
    const params = { path: { session_id: id, statement_id: String(statement) } };
    const call = http.POST("/api/sessions/{session_id}/considered/{statement_id}/keep", { params });
    return (await unwrap(call)).memoryId;
  },

  /** Switch a session off (bypassed), so that nothing is told or kept in it, or on again. */
  bypassSession: async (id: string, enabled: boolean): Promise<void> => {
    await unwrap(http.POST("/api/sessions/{session_id}/bypass", { ...at(id), body: { enabled } }));
  },

  /** Where a session stood at times, the latest first; the key is its harness's. */
  checkpoints: async (key: string, harness: string, signal?: AbortSignal): Promise<Checkpoint[]> => {
    const params = { path: { session_key: key }, query: { harness } };
    return (await unwrap(http.GET("/api/checkpoints/{session_key}", { params, ...definedOnly({ signal }) }))).checkpoints;
  },
};
