/** The latest sessions, and the first line that the newest told one was told; follows each hook. */

import { api, type SessionRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 300;
const LATEST = 20;

interface LatestSessions {
  readonly sessions: readonly SessionRow[];
  readonly told: ToldSession | undefined;
}

interface ToldSession {
  readonly session: SessionRow;
  /** The memory's text; undefined if it is no longer there. */
  readonly line: string | undefined;
}

export class LatestToldSession extends Resource<LatestSessions> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = 1_000;

  protected async read(signal: AbortSignal): Promise<LatestSessions> {
    const { sessions } = await api.sessions({ limit: LATEST }, signal);
    const session = sessions.find(({ told }) => told > 0);
    if (session === undefined) return { sessions, told: undefined };
    const { injections } = await api.session(session.id, signal);
    const line = injections.flatMap(({ lines }) => lines).find(({ shown, content }) => shown && content !== null);
    return { sessions, told: { session, line: line?.content ?? undefined } };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "harnesses" || topic === "memory" ? GATHER_MS : undefined;
  }
}
