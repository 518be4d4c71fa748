/** The filters in force, each as one thing that can be shown and taken away. */

import { BANDS, filtersOf, type FilterSet, type When } from "$lib/memory/filters";
import { projectName, typeOf } from "$lib/memory/types";

export type FieldName = "type" | "project" | "agent" | "visibility" | "who" | "tags" | "source" | "pinned" | "importance" | "when" | "session";

export const FIELDS: Record<FieldName, string> = {
  type: "Type",
  project: "Project",
  tags: "Tag",
  when: "Time",
  pinned: "Pinned",
  importance: "Importance",
  who: "Who",
  source: "Source",
  agent: "Agent",
  visibility: "Visibility",
  session: "Session",
};

export const WHENS: Record<When, string> = { today: "Today", week: "Last 7 days", month: "Last 30 days" };
export const VISIBILITIES = { global: "Global", private: "Private" };
export const NO_PROJECT = "No project";

const SHORT = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

export interface ChipView {
  /** Tells it from the others, and stays the same while its value changes. */
  readonly key: string;
  readonly field: FieldName;
  readonly label: string;
  readonly value: string;
  /** The change that takes it away. */
  readonly without: FilterSet;
}

export function dayName(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : SHORT.format(at);
}

function spanName(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return `until ${dayName(to ?? "")}`;
  if (to === undefined) return `since ${dayName(from)}`;
  return from === to ? dayName(from) : `${dayName(from)} to ${dayName(to)}`;
}

/** How a value of a field is called. */
export function valueName(field: FieldName, value: string | null, agentName: (id: string) => string): string {
  if (value === null) return NO_PROJECT;
  switch (field) {
    case "type":
      return typeOf(value).label;
    case "project":
      return projectName(value);
    case "agent":
      return agentName(value);
    case "visibility":
      return value === "private" ? VISIBILITIES.private : VISIBILITIES.global;
    case "pinned":
      return value === "true" ? "Pinned" : "Not pinned";
    case "importance":
      return value === "high" || value === "medium" || value === "low" ? BANDS[value].label : value;
    case "when":
      return value === "today" || value === "week" || value === "month" ? WHENS[value] : value;
    case "who":
    case "tags":
    case "source":
    case "session":
      return value;
  }
}

/** The chips of the filters, in the order of the fields. */
export function chipsOf(view: FilterSet, agentName: (id: string) => string): readonly ChipView[] {
  const filters = filtersOf(view);
  const chips: ChipView[] = [];
  for (const field of Object.keys(FIELDS) as FieldName[]) {
    const label = FIELDS[field];
    if (field === "tags") {
      for (const tag of filters.tags ?? []) {
        const rest = (filters.tags ?? []).filter((other) => other !== tag);
        chips.push({ key: `tags:${tag}`, field, label, value: tag, without: { tags: rest.length === 0 ? undefined : rest } });
      }
    } else if (field === "when") {
      const { when, from, to } = filters;
      if (when === undefined && from === undefined && to === undefined) continue;
      const value = when === undefined ? spanName(from, to) : WHENS[when];
      chips.push({ key: field, field, label, value, without: { when: undefined, from: undefined, to: undefined } });
    } else {
      const value = filters[field];
      if (value === undefined) continue;
      const shown = valueName(field, value === null ? null : String(value), agentName);
      chips.push({ key: field, field, label, value: shown, without: { [field]: undefined } });
    }
  }
  return chips;
}
