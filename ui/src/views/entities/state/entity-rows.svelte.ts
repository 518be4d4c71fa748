/** The listed entities: loaded by page, and kept current by change events. */

import { api, type EntityList, type EntityListItem } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { PagedList, type Page } from "$lib/paging/paged-list.svelte";

import { ENTITY_URL, entityQueryOf, type EntityFilters } from "./entity-filters";

const GATHER_MS = 300;
const SPACING_MS = 1_000;
/** Far down a long list, each reload reads all pages up to there. */
const FAR_ROWS = 2_000;
const FAR_MS = 10_000;

/** A row of the list; `id` is the entity's. */
export interface EntityListRow extends EntityListItem {
  readonly id: string;
}

export class EntityRows extends PagedList<EntityListRow, EntityFilters> {
  protected override readonly maxPage = 200;
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = SPACING_MS;
  /** How many match, and of which types, whichever type is chosen. */
  counts = $state.raw<Pick<EntityList, "total" | "types">>({ total: 0, types: [] });

  constructor() {
    super(ENTITY_URL.none);
  }

  /** The cursor is the offset of the next page. */
  protected async readPage(
    filters: EntityFilters,
    limit: number,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<Page<EntityListRow>> {
    const offset = Number(cursor ?? 0);
    const { items, total, types } = await api.entities({ ...entityQueryOf(filters), limit, offset }, signal);
    this.counts = { total, types };
    const end = offset + items.length;
    return {
      rows: items.map((item) => ({ ...item, id: item.entity.id })),
      cursor: items.length === 0 || end >= total ? null : String(end),
    };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    if (topic !== "entity") return undefined;
    return this.visibleRows > FAR_ROWS ? FAR_MS : GATHER_MS;
  }
}
