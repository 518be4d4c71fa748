/** A project with its identity and what is new in it, and its sessions; kept current. */

import { api, type Evidence, type MemoryRow, type ProjectDetail, type SessionRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

import { visit, type Since } from "./last-visit";

const GATHER_MS = 500;
const MOST_NEW = 4;
const MOST_SESSIONS = 4;

interface ProjectNews {
  readonly detail: ProjectDetail;
  /** The newest memories since the visit before, at most four. */
  readonly memories: readonly MemoryRow[];
}

export class ProjectPage extends Resource<ProjectNews> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  readonly since: Since = visit(Date.now());
  /** Null: what applies to all projects. */
  readonly project: string | null;

  constructor(project: string | null) {
    super();
    this.project = project;
  }

  /** No session ran in it, and no memory is about it. */
  get isUnknown(): boolean {
    const detail = this.value?.detail;
    return this.project !== null && detail !== undefined && detail.memories + detail.sessions + detail.open === 0;
  }

  protected async read(signal: AbortSignal): Promise<ProjectNews> {
    const { project, since } = this;
    const which = project === null ? { globalOnly: true } : { project };
    const [detail, { memories }] = await Promise.all([
      api.project(project, since.iso, signal),
      api.memories({ ...which, since: since.iso, limit: MOST_NEW }, signal),
    ]);
    return { detail, memories };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" || topic === "inbox" || topic === "projects" ? GATHER_MS : undefined;
  }

  protected override settled(): void {
    // What is looked at now isn't new at the next visit.
    visit(Date.now());
  }
}

export class LatestSessions extends Resource<readonly SessionRow[]> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  readonly #project: string | null;

  constructor(project: string | null) {
    super();
    this.#project = project;
  }

  protected async read(signal: AbortSignal): Promise<readonly SessionRow[]> {
    const which = this.#project === null ? { globalOnly: true as const } : { project: this.#project };
    return (await api.sessions({ ...which, limit: MOST_SESSIONS }, signal)).sessions;
  }

  /** A harness is updated by each event of a session. */
  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "harnesses" || topic === "memory" || topic === "inbox" ? GATHER_MS : undefined;
  }
}

/** What the user said that a memory is based on. */
export class LineEvidence extends Resource<readonly Evidence[]> {
  readonly #id: string;

  constructor(id: string) {
    super();
    this.#id = id;
  }

  protected read(signal: AbortSignal): Promise<readonly Evidence[]> {
    return api.evidence(this.#id, signal);
  }
}
