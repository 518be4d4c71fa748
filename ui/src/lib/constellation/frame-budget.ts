/** How many points are drawn while the map moves, and how finely: as many as frames of this computer allow. */

/** A frame that takes longer lowers the resolution. */
const SHARP_MS = 24;
/** One that takes longer than the first draws too many points, and one that takes less than the second too few. */
const SLOW_MS = 48;
const FAST_MS = 32;
/** Longer ones are a pause and not a frame. */
const PAUSE_MS = 2_000;
const LEAST_POINTS = 4_000;
const GROWTH = 1.25;
/** What a software renderer draws in a frame to begin with. */
const SOFTWARE_POINTS = 10_000;
const FINEST_RATIO = 3;
const SLOW_RATIO = 1.5;

export interface FrameBudget {
  /** Points a frame; Infinity until a frame was slow. */
  readonly points: number;
  /** Device pixels per CSS pixel, at most. */
  readonly ratio: number;
}

export function firstBudget(isSoftware: boolean): FrameBudget {
  return isSoftware ? { points: SOFTWARE_POINTS, ratio: SLOW_RATIO } : { points: Infinity, ratio: FINEST_RATIO };
}

/**
 * The budget after a frame while moving that drew so many points in so many milliseconds. The first slow frame lowers
 * the resolution, for good: changing it back and forth would be seen.
 */
export function nextBudget(budget: FrameBudget, drawn: number, ms: number, deviceRatio: number): FrameBudget {
  if (ms > PAUSE_MS) return budget;
  if (ms > SHARP_MS && Math.min(deviceRatio, budget.ratio) > SLOW_RATIO) return { ...budget, ratio: SLOW_RATIO };
  if (ms > SLOW_MS) {
    const fewer = Math.floor(drawn * Math.max(0.5, SLOW_MS / ms));
    return { ...budget, points: Math.max(LEAST_POINTS, Math.min(budget.points, fewer)) };
  }
  if (ms < FAST_MS && drawn >= budget.points) return { ...budget, points: Math.ceil(budget.points * GROWTH) };
  return budget;
}
