/** The active filters as chips that can be removed. */

import { entityNames } from "$lib/entity/entity-names.svelte";
import { PRIVATE, type Status } from "$lib/memory/filter-table";
import { BANDS, FIELDS, filtersOf, type FieldName, type FilterSet, type When } from "$lib/memory/filters";
import { ALL_PROJECTS, projectName, typeOf, VISIBILITIES } from "$lib/memory/types";

export const LABELS = Object.fromEntries(FIELDS.map(({ name, label }) => [name, label])) as Record<FieldName, string>;

export const PERIOD_LABELS: Record<When, string> = { today: "Today", week: "Last 7 days", month: "Last 30 days" };
export const STATUS_LABELS: Record<Status, string> = { current: "Current", replaced: "Replaced", disputed: "Disputed" };

const SHORT = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

export interface ChipView {
  /** Unique, and stable while its value changes. */
  readonly key: string;
  readonly field: FieldName;
  readonly label: string;
  readonly value: string;
  /** The change that removes it. */
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

type ValueText = (value: string, agentName: (id: string) => string) => string;

/** Labels of values that differ from the value itself. */
const VALUE_TEXT: Partial<Record<FieldName, ValueText>> = {
  type: (value) => typeOf(value).label,
  project: projectName,
  agent: (value, agentName) => agentName(value),
  entity: (value) => entityNames.nameOf(value),
  file: (value) => value.split(/[/\\]/u).at(-1) ?? value,
  importance: (value) => (value === "high" || value === "medium" || value === "low" ? BANDS[value].label : value),
  when: (value) => (value === "today" || value === "week" || value === "month" ? PERIOD_LABELS[value] : value),
};
const KINDS = new Map(FIELDS.map(({ name, kind }) => [name, kind]));

/** The label of a field's value. */
export function valueName(field: FieldName, value: string | null, agentName: (id: string) => string): string {
  if (value === null) return ALL_PROJECTS;
  const words = VALUE_TEXT[field];
  if (words !== undefined) return words(value, agentName);
  const kind = KINDS.get(field);
  if (kind === "flag") return value === "true" ? LABELS[field] : `Not ${LABELS[field].toLowerCase()}`;
  if (kind === "status") return STATUS_LABELS[value as Status];
  if (kind === "visibility") return value === PRIVATE ? VISIBILITIES.private : VISIBILITIES.global;
  return value;
}

/** One chip per active filter, in field order. */
export function chipsOf(view: FilterSet, agentName: (id: string) => string): readonly ChipView[] {
  const filters = filtersOf(view);
  const chips: ChipView[] = [];
  for (const { name: field, label } of FIELDS) {
    if (field === "when") {
      const { when, from, to } = filters;
      if (when === undefined && from === undefined && to === undefined) continue;
      const value = when === undefined ? spanName(from, to) : PERIOD_LABELS[when];
      chips.push({ key: field, field, label, value, without: { when: undefined, from: undefined, to: undefined } });
    } else {
      const value = filters[field];
      if (value === undefined) continue;
      if (typeof value === "object" && value !== null) {
        for (const one of value) {
          const rest = value.filter((other) => other !== one);
          chips.push({ key: `${field}:${one}`, field, label, value: one, without: { [field]: rest.length === 0 ? undefined : rest } });
        }
        continue;
      }
      const shown = valueName(field, value === null ? null : String(value), agentName);
      chips.push({ key: field, field, label, value: shown, without: { [field]: undefined } });
    }
  }
  return chips;
}
