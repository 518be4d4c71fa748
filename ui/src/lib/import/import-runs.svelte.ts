/** The imports, one import, and the sessions of one, each kept current. */

import type { ChangeEvent } from "$lib/api/event-stream";
import { importApi, type ImportedSession, type ImportRun } from "$lib/api/imports";
import { isActive } from "./import-text";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 300;
/** Progress is shown as it is, even while no event arrives. */
const POLL_MS = 1_000;

/** Memories and suggestions of an import may be taken back. */
const isRelevant = ({ topic }: ChangeEvent): boolean => topic === "imports" || topic === "sources";

export class ImportRuns extends Resource<readonly ImportRun[]> {
  protected override readonly resyncMs = GATHER_MS;

  protected read(signal: AbortSignal): Promise<readonly ImportRun[]> {
    return importApi.list(signal);
  }

  protected override delay(change: ChangeEvent): number | undefined {
    return isRelevant(change) ? GATHER_MS : undefined;
  }
}

export class OneImport extends Resource<ImportRun, string> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = GATHER_MS;

  constructor(id: string) {
    super();
    this.params = id;
  }

  protected read(signal: AbortSignal, id: string): Promise<ImportRun> {
    return importApi.get(id, signal);
  }

  protected override interval(): number | undefined {
    return this.value !== undefined && isActive(this.value) ? POLL_MS : undefined;
  }

  protected override delay(change: ChangeEvent): number | undefined {
    return isRelevant(change) ? GATHER_MS : undefined;
  }
}

export interface SessionOfImport extends ImportedSession {
  readonly id: string;
}

export class SessionsOfImport extends PagedList<SessionOfImport, string> {
  protected override readonly maxPage = 500;
  protected override readonly resyncMs = GATHER_MS;
  #number = 0;

  protected async readPage(id: string, limit: number, cursor: string | undefined, signal: AbortSignal): Promise<Page<SessionOfImport>> {
    const { sessions, next } = await importApi.sessions(id, limit, cursor, signal);
    // A session that couldn't be read has no id.
    const rows = sessions.map((row) => ({ ...row, id: row.session ?? `unread ${String(++this.#number)}` }));
    return { rows, cursor: next };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "sources" ? GATHER_MS : undefined;
  }
}
