/** The memories that are lit on the map: those that answer a search, are told, or name an entity. */

import { api } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { projectionCalls, type MapScope } from "$lib/api/projection";
import { Resource } from "$lib/state/resource.svelte";

import { NO_PROJECT } from "./constellation-url";

const GATHER_MS = 500;
const MOST_FOUND = 200;
/** More have no room for their labels. */
const PINNED = 100;

interface SearchQuery {
  readonly scope: MapScope;
  readonly q: string;
}

/** The best first. */
class MapSearch extends Resource<readonly string[], SearchQuery> {
  protected override readonly resyncMs = GATHER_MS;

  get isOn(): boolean {
    return (this.params?.q.trim() ?? "") !== "";
  }

  /** The memories that answer; undefined while nothing is searched for, or the first reply is pending. */
  get ids(): readonly string[] | undefined {
    return this.isOn && (this.loadedParams?.q.trim() ?? "") !== "" ? this.value : undefined;
  }

  protected async read(signal: AbortSignal, { scope, q }: SearchQuery): Promise<readonly string[]> {
    if (q.trim() === "") return [];
    const { results } = await api.search({ q, ...scope, exactProject: true, limit: MOST_FOUND }, signal);
    return results.map(({ id }) => id);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return this.isOn && (topic === "memory" || topic === "embeddings") ? GATHER_MS : undefined;
  }
}

/** What the next session of a project is told. */
export class ToldMemories extends Resource<readonly string[], string | undefined> {
  protected override readonly resyncMs = GATHER_MS;

  protected async read(signal: AbortSignal, project: string | undefined): Promise<readonly string[]> {
    if (project === undefined) return [];
    const { start } = await api.preview(project === NO_PROJECT ? null : project, undefined, signal);
    return start.lines.map(({ memoryId }) => memoryId);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return this.params !== undefined && (topic === "memory" || topic === "entity") ? GATHER_MS : undefined;
  }
}

interface EntityQuery {
  readonly scope: MapScope;
  readonly entity: string | undefined;
}

export class EntityMemories extends Resource<readonly string[], EntityQuery> {
  protected override readonly resyncMs = GATHER_MS;

  protected async read(signal: AbortSignal, { scope, entity }: EntityQuery): Promise<readonly string[]> {
    return entity === undefined ? [] : (await projectionCalls.mapMatches(scope, { entity }, signal)).ids;
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return this.params?.entity !== undefined && (topic === "memory" || topic === "entity") ? GATHER_MS : undefined;
  }
}

interface PinnedMemory {
  readonly id: string;
  readonly content: string;
}

/** The texts of pinned memories, which are always labelled. */
export class PinnedMemories extends Resource<readonly PinnedMemory[], MapScope> {
  protected override readonly resyncMs = GATHER_MS;

  protected async read(signal: AbortSignal, scope: MapScope): Promise<readonly PinnedMemory[]> {
    return (await api.memories({ ...scope, pinned: true, limit: PINNED }, signal)).memories;
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "memory" ? GATHER_MS : undefined;
  }
}

/** What is lit, as the address asks for it. */
export interface LitQuery {
  readonly q: string;
  readonly told: string | undefined;
  readonly entity: string | undefined;
}

export class LitMemories {
  readonly search = new MapSearch();
  readonly told = new ToldMemories();
  readonly named = new EntityMemories();

  /** Keep them current until the returned function is called. */
  subscribe(): () => void {
    const cleanups = [this.search.subscribe(), this.told.subscribe(), this.named.subscribe()];
    return () => {
      for (const cleanup of cleanups) cleanup();
    };
  }

  /** Ask for other ones. */
  ask(scope: MapScope, { q, told, entity }: LitQuery): void {
    const { search, named } = this;
    if (search.params?.q !== q || search.params.scope !== scope) search.ask({ scope, q }, 0);
    if (this.told.params !== told) this.told.ask(told, 0);
    if (named.params?.entity !== entity || named.params?.scope !== scope) named.ask({ scope, entity }, 0);
  }

  /** The memories of each question that has its answer; those in all of these are lit. */
  sets({ q, told, entity }: LitQuery): readonly (readonly string[])[] {
    const answers = [
      q.trim() === "" ? undefined : this.search.ids,
      told === undefined || this.told.loadedParams === undefined ? undefined : this.told.value,
      entity === undefined || this.named.loadedParams?.entity === undefined ? undefined : this.named.value,
    ];
    return answers.filter((ids) => ids !== undefined);
  }
}
