/** What the process used over the last minutes, one sample a reading. */

import type { Status } from "$lib/api/client";

export interface Sample {
  readonly pid: number;
  /** The daemon's own clock, in seconds since it started. */
  readonly uptimeS: number;
  readonly cpuS: number;
  readonly rss: number;
  readonly queue: number;
  /** Per cent of one core since the sample before; null where there is none to compare with. */
  readonly cpu: number | null;
}

/** Null where nothing was read: the page was hidden, or the daemon away. */
export type Series = readonly (Sample | null)[];

/** Five minutes at one reading in two seconds. */
const MOST = 150;
/** The daemon measures itself at most once a second; below that a share says nothing. */
const LEAST_S = 1.5;
const GAP_S = 10;

/** Add what was read; readings that come too close are left out. */
export function withSample(series: Series, status: Status): Series {
  const last = series.at(-1) ?? null;
  const isSame = last?.pid === status.pid && status.uptime >= last.uptimeS;
  const apart = isSame ? status.uptime - last.uptimeS : Infinity;
  if (apart < LEAST_S) return series;
  const isGap = series.length > 0 && last !== null && apart > GAP_S;
  const cpu =
    isSame && apart <= GAP_S ? Math.max(0, (100 * (status.process.cpuS - last.cpuS)) / apart) : null;
  const { pid, uptime: uptimeS, process, queue } = status;
  const sample = { pid, uptimeS, cpuS: process.cpuS, rss: process.rssBytes, queue: queue.pending + queue.leased, cpu };
  return [...series, ...(isGap ? [null] : []), sample].slice(-MOST);
}
