/** What a list of memories is narrowed to: how it is asked of the daemon, and whether a row is in it. */

import type { Filters } from "$lib/api/client";

import type { ListRow } from "./rows";

export type Band = "high" | "medium" | "low";
export type When = "today" | "week" | "month";
export type Visibility = NonNullable<Filters["visibility"]>;

export interface FilterSet extends Pick<Filters, "type" | "agent" | "visibility" | "who" | "pinned"> {
  /** Null asks for what belongs to no project. */
  readonly project?: string | null | undefined;
  /** All of them have to be there. */
  readonly tags?: readonly string[] | undefined;
  /** The kind of its source. */
  readonly source?: string | undefined;
  readonly importance?: Band | undefined;
  /** The last days, counted anew each day. */
  readonly when?: When | undefined;
  /** Days of the calendar, `2026-11-22`, both included; they stand in the place of `when`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly session?: string | undefined;
}

/** The ends of a band, both included; the daemon keeps more digits than a person gives. */
export const BANDS: Record<Band, { readonly label: string; readonly min: number | undefined; readonly max: number | undefined }> = {
  high: { label: "High (0.7 and more)", min: 0.7, max: undefined },
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

/** The first and the last moment, in milliseconds, in the reader's own time. */
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

/** The query parameters that ask for it. */
export function asked(filters: FilterSet, now: number): Filters {
  const { since, until } = rangeOf(filters, now);
  const band = filters.importance === undefined ? undefined : BANDS[filters.importance];
  return {
    type: filters.type,
    project: filters.project ?? undefined,
    globalOnly: filters.project === null ? true : undefined,
    agent: filters.agent,
    visibility: filters.visibility,
    who: filters.who,
    tags: filters.tags === undefined || filters.tags.length === 0 ? undefined : filters.tags.join(","),
    sourceType: filters.source,
    pinned: filters.pinned,
    importance_min: band?.min,
    importance_max: band?.max,
    since: isoOf(since),
    until: isoOf(until),
    sessionId: filters.session,
  };
}

function isAmong<T>(wanted: T | undefined, value: T | undefined): boolean {
  // What a row does not tell was judged by the daemon.
  return wanted === undefined || value === undefined || wanted === value;
}

/** Whether a row that came or changed by itself belongs to the list. */
export function matches(row: ListRow, filters: FilterSet, now: number): boolean {
  const { since, until } = rangeOf(filters, now);
  const band = filters.importance === undefined ? undefined : BANDS[filters.importance];
  const at = Date.parse(row.createdAt);
  return (
    isAmong(filters.type, row.type) &&
    (filters.project === undefined || row.project === filters.project) &&
    isAmong(filters.agent, row.agent) &&
    (filters.visibility === undefined || row.isPrivate === (filters.visibility === "private")) &&
    isAmong(filters.who, row.who) &&
    (filters.tags ?? []).every((tag) => row.tags.includes(tag)) &&
    isAmong(filters.source, row.source) &&
    isAmong(filters.pinned, row.pinned) &&
    (band?.min === undefined || row.importance >= band.min) &&
    (band?.max === undefined || row.importance <= band.max) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until) &&
    (filters.session === undefined || row.session === undefined || row.session === filters.session)
  );
}

/** Whether it narrows anything. */
export function narrows(filters: FilterSet): boolean {
  return Object.values(filtersOf(filters)).some((value) => value !== undefined);
}

/** The filters alone, of something that has more. */
export function filtersOf(view: FilterSet): FilterSet {
  const { type, project, agent, visibility, who, tags, source, pinned, importance, when, from, to, session } = view;
  return { type, project, agent, visibility, who, tags: tags?.length === 0 ? undefined : tags, source, pinned, importance, when, from, to, session };
}

export const NO_FILTERS: FilterSet = filtersOf({});
