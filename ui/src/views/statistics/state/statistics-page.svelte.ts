/** The statistics of the range and the project in the address, kept current. */

import type { ChangeEvent } from "$lib/api/event-stream";
import { statisticsCalls, type Statistics, type StatisticsQuery, type StatisticsRange } from "$lib/api/statistics";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 2_000;
const AGAIN_MS = 60_000;
const WATCHED: readonly string[] = ["memory", "harnesses", "sessions", "projects"];

export const RANGES: readonly { readonly value: StatisticsRange; readonly label: string }[] = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "all", label: "All" },
];

export const SPLITS = [
  { value: "types", label: "By type" },
  { value: "projects", label: "By project" },
  { value: "origins", label: "By origin" },
] as const;

export type Split = (typeof SPLITS)[number]["value"];

/** What the address asks for; the last 7 days by type without anything. */
export function asked(query: URLSearchParams): StatisticsQuery & { readonly split: Split } {
  const range = RANGES.find(({ value }) => value === query.get("range"))?.value ?? "7";
  const split = SPLITS.find(({ value }) => value === query.get("by"))?.value ?? "types";
  return { range, project: query.get("project") ?? undefined, split };
}

/** The query of an address that asks for it. */
export function addressed({ range, project, split }: ReturnType<typeof asked>): URLSearchParams {
  return new URLSearchParams({
    ...(range === "7" ? {} : { range }),
    ...(project === undefined ? {} : { project }),
    ...(split === "types" ? {} : { by: split }),
  });
}

/** Where the memories that were learned in these days are listed. */
export function learnedPath({ range, first, project }: Pick<Statistics, "range" | "first" | "project">): string {
  const when: Record<string, string> = range === "7" ? { when: "week" } : range === "30" ? { when: "month" } : { from: first };
  return `/memories?${new URLSearchParams({ ...when, ...(project === null ? {} : { project }) }).toString()}`;
}

export class StatisticsPage extends Resource<Statistics, StatisticsQuery> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly spacingMs = GATHER_MS;
  protected override readonly pausesHidden = true;

  protected read(signal: AbortSignal, query: StatisticsQuery): Promise<Statistics> {
    return statisticsCalls.statistics(query, signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return WATCHED.includes(topic) ? GATHER_MS : undefined;
  }

  protected override interval(): number {
    return AGAIN_MS;
  }
}
