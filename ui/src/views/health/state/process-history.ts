/** Resource usage of the daemon over the last minutes. */

import type { Status } from "$lib/api/client";

export interface Sample {
  readonly pid: number;
  /** Seconds since the daemon started, by its own clock. */
  readonly uptimeS: number;
  readonly cpuS: number;
  readonly rss: number;
  readonly queue: number;
  /** Percent of one core since the previous sample; null without one. */
  readonly cpu: number | null;
}

/** Null for gaps: the page was hidden, or the daemon stopped. */
export type Series = readonly (Sample | null)[];

/** Five minutes at one sample every two seconds. */
const MOST = 150;
/** The daemon samples itself at most once a second; closer samples are meaningless. */
const LEAST_S = 1.5;
const GAP_S = 10;

/** Append a sample, unless it's too close to the last one. */
export function withSample(series: Series, status: Status): Series {
  const last = series.at(-1) ?? null;
  const isSame = last?.pid === status.pid && status.uptime >= last.uptimeS;
  const apart = isSame ? status.uptime - last.uptimeS : Infinity;
  if (apart < LEAST_S) return series;
  const isGap = series.length > 0 && last !== null && apart > GAP_S;
  const cpu = isSame && apart <= GAP_S ? Math.max(0, (100 * (status.process.cpuS - last.cpuS)) / apart) : null;
  const { pid, uptime: uptimeS, process, queue } = status;
  const sample = { pid, uptimeS, cpuS: process.cpuS, rss: process.rssBytes, queue: queue.pending + queue.leased, cpu };
  return [...series, ...(isGap ? [null] : []), sample].slice(-MOST);
}
