/** Memory filters: conversion to query parameters, and matching of rows. */

import type { Filters } from "$lib/api/client";

import { FILTERS, PRIVATE, SWITCHES, type Kind, type Status, type Visibility } from "./filter-table";
import type { ListRow } from "./rows";

export type Band = "high" | "medium" | "low";
export type When = "today" | "week" | "month";

/** Table entries with another field name; the two ends of a range form one field. */
const RENAMED = {
  importance_min: "importance",
  importance_max: "importance",
  since: "when",
  until: "when",
  source_type: "source",
  source_path: "file",
  session_id: "session",
  memory_status: "status",
} as const;
/** Fields whose value is not the parameter itself. */
const COMPOSED: readonly string[] = ["project", "importance", "when"] satisfies Composed[];
/** The fields of the filter menu, in order. */
export const MENU_FIELDS = [
  "type",
  "project",
  "tags",
  "when",
  "pinned",
  "importance",
  "who",
  "source",
  "agent",
  "visibility",
  "status",
] as const satisfies readonly FieldName[];

type Row = (typeof FILTERS)[number];
type NameOf<Name> = Name extends keyof typeof RENAMED ? (typeof RENAMED)[Name] : Name;
type Composed = "project" | "importance" | "when";
export type FieldName = NameOf<Row["name"]>;

interface Values {
  readonly text: string;
  readonly path: string;
  readonly flag: boolean;
  readonly share: number;
  readonly moment: string;
  /** All tags must be present. */
  readonly tags: readonly string[];
  readonly visibility: Visibility;
  readonly status: Status;
}
type PlainSet = { readonly [One in Row as Exclude<NameOf<One["name"]>, Composed>]?: Values[One["kind"]] | undefined };

export type PlainValue = Values[Kind] | undefined;

/** A filter field, from the generated table. */
export interface Field<Name = FieldName> {
  readonly name: Name;
  readonly parameter: string;
  readonly kind: Kind;
  readonly label: string;
}

function fieldOf(row: Row): Field {
  const name = Object.hasOwn(RENAMED, row.name) ? RENAMED[row.name as keyof typeof RENAMED] : row.name;
  return { ...row, name: name as FieldName };
}

function rank({ name }: Field): number {
  const at = (MENU_FIELDS as readonly FieldName[]).indexOf(name);
  return at < 0 ? MENU_FIELDS.length : at;
}

/** All fields: those of the menu first, then the others. */
export const FIELDS: readonly Field[] = FILTERS.map(fieldOf)
  .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index)
  .sort((one, other) => rank(one) - rank(other));

/** The fields whose value is the query parameter. */
export const PLAIN = FIELDS.filter(({ name }) => !COMPOSED.includes(name)) as readonly Field<keyof PlainSet>[];

export interface FilterSet extends PlainSet {
  /** Null: memories without a project. */
  readonly project?: string | null | undefined;
  readonly importance?: Band | undefined;
  /** A relative period, evaluated each day. */
  readonly when?: When | undefined;
  /** ISO dates, both inclusive, used instead of `when`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The ranges of importance, both ends inclusive. */
export const BANDS: Record<Band, { readonly label: string; readonly min: number | undefined; readonly max: number | undefined }> = {
  high: { label: "High (0.7 or more)", min: 0.7, max: undefined },
  medium: { label: "Medium (0.3 to 0.7)", min: 0.3, max: 0.699999 },
  low: { label: "Low (below 0.3)", min: undefined, max: 0.299999 },
};

const DAYS: Record<When, number> = { today: 1, week: 7, month: 30 };
export const WHEN = Object.keys(DAYS) as readonly When[];

function dayStart(day: string, plus = 0): number | undefined {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const at = new Date(year, month - 1, date + plus).getTime();
  return Number.isNaN(at) ? undefined : at;
}

/** Start and end in milliseconds, in local time. */
export function rangeOf(filters: FilterSet, now: number): { since: number | undefined; until: number | undefined } {
  if (filters.from !== undefined || filters.to !== undefined) {
    const after = filters.to === undefined ? undefined : dayStart(filters.to, 1);
    return {
      since: filters.from === undefined ? undefined : dayStart(filters.from),
      until: after === undefined ? undefined : after - 1,
    };
  }
  if (filters.when === undefined) return { since: undefined, until: undefined };
  const today = new Date(now);
  const first = new Date(today.getFullYear(), today.getMonth(), today.getDate() - DAYS[filters.when] + 1);
  return { since: first.getTime(), until: undefined };
}

const isoOf = (at: number | undefined): string | undefined => (at === undefined ? undefined : new Date(at).toISOString());

function parameterOf(value: PlainValue): string | number | boolean | undefined {
  if (typeof value !== "object") return value;
  return value.length === 0 ? undefined : value.join(",");
}

/** The query parameters of the filters. */
export function queryOf(filters: FilterSet, now: number): Filters {
  const { since, until } = rangeOf(filters, now);
  const band = filters.importance === undefined ? undefined : BANDS[filters.importance];
  const plain = PLAIN.map(({ name, parameter }) => [parameter, parameterOf(filters[name])] as const);
  return {
    ...Object.fromEntries(plain),
    project: filters.project ?? undefined,
    [SWITCHES.global_only]: filters.project === null ? true : undefined,
    importance_min: band?.min,
    importance_max: band?.max,
    since: isoOf(since),
    until: isoOf(until),
  };
}

function isAmong<T>(wanted: T | undefined, value: T | undefined): boolean {
  // For fields missing from the row, trust the daemon's filtering.
  return wanted === undefined || value === undefined || wanted === value;
}

/** Whether a new or changed row matches the filters. */
export function matches(row: ListRow, filters: FilterSet, now: number): boolean {
  const { since, until } = rangeOf(filters, now);
  const band = filters.importance === undefined ? undefined : BANDS[filters.importance];
  const at = Date.parse(row.createdAt);
  return (
    isAmong(filters.type, row.type) &&
    (filters.project === undefined || row.project === filters.project) &&
    isAmong(filters.agent, row.agent) &&
    (filters.visibility === undefined || row.isPrivate === (filters.visibility === PRIVATE)) &&
    isAmong(filters.who, row.who) &&
    (filters.tags ?? []).every((tag) => row.tags.includes(tag)) &&
    isAmong(filters.source, row.source) &&
    isAmong(filters.pinned, row.pinned) &&
    isAmong(filters.status, row.status) &&
    (band?.min === undefined || row.importance >= band.min) &&
    (band?.max === undefined || row.importance <= band.max) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until) &&
    (filters.session === undefined || row.session === undefined || row.session === filters.session)
  );
}

/** Whether any filter is set. */
export function hasFilters(filters: FilterSet): boolean {
  return Object.values(filtersOf(filters)).some((value) => value !== undefined);
}

/** Only the filters of an object that has more fields. */
export function filtersOf(view: FilterSet): FilterSet {
  const { project, importance, when, from, to, tags } = view;
  const plain = Object.fromEntries(PLAIN.map(({ name }) => [name, view[name]])) as PlainSet;
  return { ...plain, tags: tags?.length === 0 ? undefined : tags, project, importance, when, from, to };
}

export const NO_FILTERS: FilterSet = filtersOf({});
