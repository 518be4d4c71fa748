/** The filters of the Sessions view as a URL: `/sessions?project=…&harness=…&agent=…&when=yesterday&memory=…`. */

import type { SessionQuery } from "$lib/api/client";
import { oneOf, text, urlFilters, type Field } from "$lib/list/url-filters";
import { asksForGlobal } from "$lib/projects/projects.svelte";

export type SessionPeriod = "today" | "yesterday" | "week" | "month";

export interface SessionFilters {
  /** Null: sessions without a project. */
  readonly project: string | null | undefined;
  readonly harness: string | undefined;
  readonly agent: string | undefined;
  readonly when: SessionPeriod | undefined;
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

export const SESSION_URL = urlFilters<SessionFilters>({
  project,
  harness: text,
  agent: text,
  when: oneOf(PERIODS.map(({ period }) => period)),
  memory: text,
});

function daysAgo(now: number, days: number): string {
  const today = new Date(now);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - days).toISOString();
}

/** The query parameters of the filters; days are those of the user's time zone. */
export function queryOf({ project, when, ...others }: SessionFilters, now: number): Omit<SessionQuery, "limit"> {
  const days = when === undefined ? undefined : DAYS[when];
  return {
    ...others,
    project: project ?? undefined,
    globalOnly: project === null ? true : undefined,
    since: days === undefined ? undefined : daysAgo(now, days.from),
    until: days?.to === undefined ? undefined : new Date(Date.parse(daysAgo(now, days.to)) - 1).toISOString(),
  };
}
