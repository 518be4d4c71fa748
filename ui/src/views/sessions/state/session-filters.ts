/**
 * The filters of the Sessions view as a URL: `/sessions?q=…&project=…&harness=…&agent=…&when=yesterday&memory=…`,
 * or days as for memories: `from=2026-11-20&to=2026-11-22`.
 */

import type { SessionQuery } from "$lib/api/client";
import { oneOf, text, urlFilters, words, type Field } from "$lib/list/url-filters";
import { asksForGlobal } from "$lib/projects/projects.svelte";

export type SessionPeriod = "today" | "yesterday" | "week" | "month";

export interface SessionFilters {
  /** Words in titles, prompts, what was told and what was kept. */
  readonly q: string;
  /** Null: sessions without a project. */
  readonly project: string | null | undefined;
  readonly harness: string | undefined;
  readonly agent: string | undefined;
  readonly when: SessionPeriod | undefined;
  /** The first and the last day, such as `2026-11-20`; either end may be open. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The ID of a memory that the sessions were told, or that comes from them. */
  readonly memory: string | undefined;
}

export const PERIODS: readonly { readonly period: SessionPeriod; readonly label: string }[] = [
  { period: "today", label: "Today" },
  { period: "yesterday", label: "Yesterday" },
  { period: "week", label: "Last 7 days" },
  { period: "month", label: "Last 30 days" },
];

/** How many days ago it begins and ends; `to` is exclusive. */
const DAYS: Record<SessionPeriod, { readonly from: number; readonly to: number | undefined }> = {
  today: { from: 0, to: undefined },
  yesterday: { from: 1, to: 0 },
  week: { from: 6, to: undefined },
  month: { from: 29, to: undefined },
};

/** As its page's address has it, null is `global=1`. */
const project: Field<string | null | undefined> = {
  none: undefined,
  read: (query, name) => (asksForGlobal(query) ? null : text.read(query, name)),
  write: (query, name, value) => {
    if (value === null) query.set("global", "1");
    else text.write(query, name, value);
  },
};

const DAY = /^\d{4}-\d{2}-\d{2}$/u;

const day: Field<string | undefined> = {
  ...text,
  read: (query, name) => {
    const value = query.get(name) ?? "";
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
  },
};

export const SESSION_URL = urlFilters<SessionFilters>({
  q: words,
  project,
  harness: text,
  agent: text,
  when: oneOf(PERIODS.map(({ period }) => period)),
  from: day,
  to: day,
  memory: text,
});

function daysAgo(now: number, days: number): string {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).toISOString();
}

/** The start of a day in the user's time zone, so many days later. */
function dayStart(day: string, plus = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + plus);
}

/** The end of the day before a time: ends are inclusive. */
function justBefore(iso: string): string {
  return new Date(Date.parse(iso) - 1).toISOString();
}

/** The query parameters of the filters; days are those of the user's time zone. */
export function queryOf({ q, project, when, from, to, ...others }: SessionFilters, now: number): Omit<SessionQuery, "limit"> {
  const days = when === undefined ? undefined : DAYS[when];
  const since = days === undefined ? from && dayStart(from).toISOString() : daysAgo(now, days.from);
  const end = days === undefined ? to && dayStart(to, 1).toISOString() : days.to === undefined ? undefined : daysAgo(now, days.to);
  return {
    ...others,
    q: q.trim(),
    project: project ?? undefined,
    globalOnly: project === null ? true : undefined,
    since,
    until: end && justBefore(end),
  };
}

const DAY_NAME = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** The days in words; empty for none. */
export function daysText({ from, to }: Pick<SessionFilters, "from" | "to">): string {
  const [first, last] = [from, to].map((one) => one && DAY_NAME.format(dayStart(one)));
  if (first === undefined || last === undefined)
    return first === undefined ? (last === undefined ? "" : `Until ${last}`) : `Since ${first}`;
  return first === last ? first : `${first} – ${last}`;
}
