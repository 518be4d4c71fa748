/** The filters of the Entities view as a URL: `/entities?q=…&type=tool&project=…&pinned=1`. */

import type { EntityQuery, EntityType } from "$lib/api/client";
import { ENTITY_KINDS } from "$lib/entity/entity-types";
import { flag, oneOf, text, urlFilters, words } from "$lib/list/url-filters";

export interface EntityFilters {
  /** Words that names and aliases begin with. */
  readonly q: string;
  readonly type: EntityType | undefined;
  readonly project: string | undefined;
  readonly pinned: boolean;
}

export const ENTITY_URL = urlFilters<EntityFilters>({
  q: words,
  type: oneOf(ENTITY_KINDS.map(({ value }) => value)),
  project: text,
  pinned: flag,
});

/** The parameters of the request. */
export function entityQueryOf({ q, type, project, pinned }: EntityFilters): EntityQuery {
  return { q: q.trim(), type, project, pinned: pinned ? true : undefined };
}
