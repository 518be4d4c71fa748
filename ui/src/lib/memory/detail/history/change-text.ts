/** Field changes of a history entry as text. */

import { GLOBAL, PRIVATE } from "$lib/memory/filter-table";
import { scopeName, typeOf, VISIBILITIES } from "$lib/memory/types";

export interface FieldChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

const LABELS: Record<string, string> = {
  type: "Type",
  tags: "Tags",
  importance: "Importance",
  pinned: "Pinned",
  project: "Project",
  visibility: "Visibility",
  who: "Author",
};

function valueText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(", ");
  if (name === "pinned") return value === true || value === 1 ? "yes" : "no";
  if (name === "project") return scopeName(typeof value === "string" ? value : null);
  if (name === "visibility") return VISIBILITIES[value === PRIVATE ? PRIVATE : GLOBAL];
  if (name === "type" && typeof value === "string") return typeOf(value).label;
  if (typeof value === "number") return String(Math.round(value * 100) / 100);
  return typeof value === "string" && value !== "" ? value : "none";
}

/** The changed fields; metadata that isn't a pair of values is ignored. */
export function fieldChanges(metadata: Readonly<Record<string, unknown>> | null): readonly FieldChange[] {
  return Object.entries(metadata ?? {}).flatMap(([name, pair]) => {
    const label = LABELS[name];
    if (label === undefined || !Array.isArray(pair) || pair.length !== 2) return [];
    return [{ label, before: valueText(name, pair[0]), after: valueText(name, pair[1]) }];
  });
}
