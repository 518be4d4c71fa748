/** Words for what is known about an entity. */

import type { AttributeRow, DependencyRow, EntityRow, NeighborEdge } from "$lib/api/client";
import { ALL_PROJECTS } from "$lib/memory/types";

/** Where a fact comes from. */
export const ORIGINS: Readonly<Record<AttributeRow["origin"], string>> = {
  linker: "Read from the text",
  classifier: "Sorted by rules",
  user: "Set by you",
};

export type EdgeKind = NeighborEdge["type"];

/** What an edge says, from its source to its target, and the other way round. */
export const EDGE_WORDS: Readonly<Record<EdgeKind, { readonly out: string; readonly back: string; readonly label: string }>> = {
  uses: { out: "uses", back: "used by", label: "Uses" },
  requires: { out: "requires", back: "required by", label: "Requires" },
  owned_by: { out: "owned by", back: "owns", label: "Owned by" },
  blocks: { out: "blocks", back: "blocked by", label: "Blocks" },
  informs: { out: "informs", back: "informed by", label: "Informs" },
  part_of: { out: "part of", back: "contains", label: "Part of" },
  related_to: { out: "related to", back: "related to", label: "Related to" },
  mentioned_with: { out: "mentioned with", back: "mentioned with", label: "Mentioned together" },
};

/** How an entity is connected with the other end: "uses", "used by". */
export function dependencyWords({ direction, dependencyType }: DependencyRow): string {
  const words = EDGE_WORDS[dependencyType];
  return direction === "outgoing" ? words.out : words.back;
}

/** The other end of a dependency. */
export function otherEnd(row: DependencyRow): { readonly id: string; readonly name: string } {
  return row.direction === "outgoing"
    ? { id: row.targetEntityId, name: row.targetEntityName }
    : { id: row.sourceEntityId, name: row.sourceEntityName };
}

/** Which projects an entity belongs to. */
export function scopeText({ project, projectName }: Pick<EntityRow, "project" | "projectName">): string {
  return project === null ? ALL_PROJECTS : (projectName ?? project);
}

/** An aspect's name as a heading. */
export function aspectTitle(name: string): string {
  const words = name.replace(/[_-]+/gu, " ").trim();
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
