/** What the charts show: groups as series with colours, and days in words. */

import type { Statistics, StatisticsGroup, StatisticsPoint } from "$lib/api/statistics";
import type { ChartSeries } from "$lib/components/chart/bar-chart";

const COLORS = ["--accent", "--hue-project", "--hue-system", "--hue-tool", "--hue-file"] as const;
const REST = "--hue-concept";

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const MONTH = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" });

/** The first day of a point in words: "24 Nov", or "Nov 2026" of a month. */
export function pointLabel(day: string, step: Statistics["step"]): string {
  return (step === "month" ? MONTH : DAY).format(new Date(`${day}T12:00`));
}

/** One measure of all points. */
export function seriesOf(
  points: readonly StatisticsPoint[],
  measure: Exclude<keyof StatisticsPoint, "day">,
  label: string,
  color: string = COLORS[0],
): ChartSeries {
  return { key: measure, label, values: points.map((point) => point[measure]), color: `var(${color})` };
}

/** The largest groups, each a series, and all others as one. */
export function groupSeries(groups: readonly StatisticsGroup[], per: "learnedPer" | "toldTokensPer"): readonly ChartSeries[] {
  const filled = groups.filter((group) => group[per].some((value) => value > 0));
  const total = (group: StatisticsGroup): number => group[per].reduce((sum, value) => sum + value, 0);
  const sorted = filled.toSorted((one, other) => total(other) - total(one));
  const shown = sorted.length > COLORS.length ? sorted.slice(0, COLORS.length - 1) : sorted;
  const rest = sorted.slice(shown.length);
  const series = shown.map((group, at) => ({
    key: group.key ?? "\u0000",
    label: group.label,
    values: group[per],
    color: `var(${COLORS[at] ?? REST})`,
  }));
  if (rest.length === 0) return series;
  const values = (rest[0]?.[per] ?? []).map((_, at) => rest.reduce((sum, group) => sum + (group[per][at] ?? 0), 0));
  return [...series, { key: "\u0001", label: `${String(rest.length)} others`, values, color: `var(${REST})` }];
}

/** What capture did with the sentences that it judged. */
export function captureSeries(points: readonly StatisticsPoint[]): readonly ChartSeries[] {
  return [
    seriesOf(points, "kept", "Kept", "--accent"),
    seriesOf(points, "suggested", "Suggested", "--hue-project"),
    seriesOf(points, "dropped", "Dropped", "--hue-concept"),
  ];
}

/** A number per session in words: "1.5"; "–" without sessions. */
export function perSession(count: number, sessions: number): string {
  return sessions === 0 ? "–" : (count / sessions).toLocaleString(undefined, { maximumFractionDigits: 1 });
}
