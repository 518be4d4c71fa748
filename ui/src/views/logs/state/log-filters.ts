/** The filters of the Logs view as a URL: `/logs?q=…&level=warn&part=jobs&when=hour&until=…&request=…`. */

import type { LogLevel, LogQuery } from "$lib/api/client";
import { oneOf, text, urlFilters, words } from "$lib/list/url-filters";

export type LogPeriod = "minutes" | "hour" | "day" | "week";

export interface LogFilters {
  /** Words in messages, data and tracebacks. */
  readonly q: string;
  /** This level and above. */
  readonly level: LogLevel | undefined;
  readonly part: string | undefined;
  readonly when: LogPeriod | undefined;
  /** The time of the last line, such as `2026-11-20T09:30:00.000Z`. */
  readonly until: string | undefined;
  /** The ID of a request. */
  readonly request: string | undefined;
}

export const LEVELS: readonly { readonly level: LogLevel; readonly label: string }[] = [
  { level: "error", label: "Errors" },
  { level: "warn", label: "Warnings and errors" },
  { level: "info", label: "Info and above" },
];

const MINUTE = 60_000;

export const PERIODS: readonly { readonly period: LogPeriod; readonly label: string; readonly ms: number }[] = [
  { period: "minutes", label: "Last 15 minutes", ms: 15 * MINUTE },
  { period: "hour", label: "Last hour", ms: 60 * MINUTE },
  { period: "day", label: "Last 24 hours", ms: 1_440 * MINUTE },
  { period: "week", label: "Last 7 days", ms: 10_080 * MINUTE },
];

export const LOG_URL = urlFilters<LogFilters>({
  q: words,
  level: oneOf(["debug", "info", "warn", "error"]),
  part: text,
  when: oneOf(PERIODS.map(({ period }) => period)),
  until: {
    ...text,
    read: (query, name) => {
      const value = text.read(query, name);
      return value === undefined || Number.isNaN(Date.parse(value)) ? undefined : value;
    },
  },
  request: text,
});

/** The filters as the API takes them, at this time. */
export function queryOf({ q, level, part, when, until, request }: LogFilters, now: number): LogQuery {
  const ms = PERIODS.find(({ period }) => period === when)?.ms;
  return {
    level,
    category: part,
    since: ms === undefined ? undefined : new Date(now - ms).toISOString(),
    until,
    requestId: request,
    q: q.trim(),
  };
}
