/** The listed sessions: loaded by page, and kept current by change events. */

import { api, type SessionRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";

import { queryOf, SESSION_URL, type SessionFilters } from "./session-filters";

const GATHER_MS = 300;
const SPACING_MS = 1_000;

export class SessionRows extends PagedList<SessionRow, SessionFilters> {
  protected override readonly maxPage = 200;
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;

  constructor() {
    super(SESSION_URL.none);
  }

  protected async readPage(
    filters: SessionFilters,
    limit: number,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Page<SessionRow>> {
    const page = await api.sessions({ ...queryOf(filters, Date.now()), limit, cursor }, signal);
    return { rows: page.sessions, cursor: page.cursor };
  }

  /** Each hook of an agent sends a change event of its harness. */
  protected override delay({ topic }: ChangeEvent): number | undefined {
    return ["harnesses", "memory", "inbox", "sessions"].includes(topic) ? GATHER_MS : undefined;
  }
}
