/** The open entity with what is known about it, kept current by change events. */

import {
  api,
  type AliasRow,
  type AttributeRow,
  type DependencyRow,
  type EntityChangeRow,
  type EntityDetail,
  type EntityMemory,
  type Neighborhood,
} from "$lib/api/client";
import { UNCLASSIFIED } from "$lib/api/entities";
import type { ChangeEvent } from "$lib/api/event-stream";
import { entityNames } from "$lib/entity/entity-names.svelte";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 300;
const SPACING_MS = 1_000;

/** An aspect with its facts, constraints first. */
export interface AspectFacts {
  readonly id: string;
  readonly name: string;
  readonly facts: readonly AttributeRow[];
}

export interface EntityReading {
  readonly detail: EntityDetail;
  readonly aliases: readonly AliasRow[];
  readonly aspects: readonly AspectFacts[];
  readonly dependencies: readonly DependencyRow[];
  readonly changes: readonly EntityChangeRow[];
}

async function readAspects(id: string, signal: AbortSignal): Promise<AspectFacts[]> {
  const { items, unclassified } = await api.aspects(id, signal);
  const named = items.map(({ aspect }) => ({ id: aspect.id, name: aspect.name }));
  const all = unclassified > 0 ? [...named, { id: UNCLASSIFIED, name: "Not sorted yet" }] : named;
  const facts = await Promise.all(all.map((aspect) => api.facts(id, aspect.id, signal)));
  const shown = facts.map((its) => its.filter(({ status }) => status !== "deleted"));
  return all.map((aspect, index) => ({ ...aspect, facts: shown[index] ?? [] }));
}

export class OpenEntity extends Resource<EntityReading, string> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;

  protected async read(signal: AbortSignal, id: string): Promise<EntityReading> {
    const [detail, aliases, aspects, dependencies, changes] = await Promise.all([
      api.entity(id, signal),
      api.aliases(id, signal),
      readAspects(id, signal),
      api.dependencies(id, signal),
      api.entityChanges(id, signal),
    ]);
    entityNames.learn(detail.entity.id, detail.entity.name);
    return { detail, aliases, aspects, dependencies, changes };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "entity" || topic === "memory" ? GATHER_MS : undefined;
  }
}

export class EntityMemories extends PagedList<EntityMemory, string> {
  protected override readonly maxPage = 200;
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;

  protected async readPage(id: string, limit: number, cursor: string | undefined, signal: AbortSignal): Promise<Page<EntityMemory>> {
    const { items, cursor: next } = await api.entityMemories(id, limit, cursor, signal);
    return { rows: items, cursor: next };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "entity" || topic === "memory" ? GATHER_MS : undefined;
  }
}

/** What is around an entity. */
export interface GraphQuestion {
  readonly id: string;
  readonly depth: number;
}

export class LocalNeighborhood extends Resource<Neighborhood, GraphQuestion> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;

  protected read(signal: AbortSignal, { id, depth }: GraphQuestion): Promise<Neighborhood> {
    return api.neighborhood(id, depth, signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "entity" ? GATHER_MS : undefined;
  }
}

const SAMPLE_SIZE = 3;

/** The newest memories of an entity, to tell what it is. */
export class SampleMemories extends Resource<readonly EntityMemory[], string> {
  protected async read(signal: AbortSignal, id: string): Promise<readonly EntityMemory[]> {
    return (await api.entityMemories(id, SAMPLE_SIZE, undefined, signal)).items;
  }
}
