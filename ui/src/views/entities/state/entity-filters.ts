/** The filters of the Entities view as a URL: `/entities?q=…&type=tool&project=…&pinned=1`. */

import type { EntityQuery, EntityType } from "$lib/api/client";
import { isEntityType } from "$lib/entity/entity-types";

export interface EntityFilters {
  /** Words that names and aliases begin with. */
  readonly q: string;
  readonly type: EntityType | undefined;
  readonly project: string | undefined;
  readonly pinned: boolean;
}

export const NO_ENTITY_FILTERS: EntityFilters = { q: "", type: undefined, project: undefined, pinned: false };

/** Read the filters; an unknown value counts as none. */
export function readEntityFilters(query: URLSearchParams): EntityFilters {
  const type = query.get("type");
  const project = query.get("project");
  return {
    q: query.get("q") ?? "",
    type: isEntityType(type) ? type : undefined,
    project: project === null || project === "" ? undefined : project,
    pinned: query.get("pinned") === "1",
  };
}

/** The query of the filters, without the defaults. */
export function writeEntityFilters({ q, type, project, pinned }: EntityFilters): URLSearchParams {
  const query = new URLSearchParams();
  if (q.trim() !== "") query.set("q", q);
  if (type !== undefined) query.set("type", type);
  if (project !== undefined) query.set("project", project);
  if (pinned) query.set("pinned", "1");
  return query;
}

export function hasEntityFilters(filters: EntityFilters): boolean {
  return writeEntityFilters(filters).size > 0;
}

/** The parameters of the request. */
export function entityQueryOf({ q, type, project, pinned }: EntityFilters): EntityQuery {
  return { q: q.trim(), type, project, pinned: pinned ? true : undefined };
}
