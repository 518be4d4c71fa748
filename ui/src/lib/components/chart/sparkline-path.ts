/** A series as an SVG path and as a sentence. */

export type Value = number | null;

export interface SparklinePath {
  /** The SVG path; missing values leave gaps. */
  readonly path: string;
  readonly last: { readonly x: number; readonly y: number } | undefined;
}

/** Padding for the line's width and the last point. */
const EDGE = 3;

export function extent(values: readonly Value[]): { min: number; max: number } | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const value of values) {
    if (value === null || !Number.isFinite(value)) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min > max ? undefined : { min, max };
}

/** Scale the series to the given size. `floor` is an upper limit for the bottom of the scale. */
export function sparklinePath(values: readonly Value[], width: number, height: number, floor?: number): SparklinePath {
  const range = extent(values);
  if (range === undefined) return { path: "", last: undefined };
  const low = Math.min(range.min, floor ?? range.min);
  const span = range.max - low;
  const step = values.length > 1 ? (width - 2 * EDGE) / (values.length - 1) : 0;
  const place = (index: number, value: number): { x: number; y: number } => ({
    x: round(EDGE + index * step),
    // A flat series runs through the middle, unless it equals the floor.
    y: round(height - EDGE - (span === 0 ? (floor === low ? 0 : 0.5) : (value - low) / span) * (height - 2 * EDGE)),
  });
  let path = "";
  let isOpen = false;
  let last: SparklinePath["last"];
  for (const [index, value] of values.entries()) {
    if (value === null || !Number.isFinite(value)) {
      isOpen = false;
      continue;
    }
    const at = place(index, value);
    // A single value between gaps is a dot: a zero-length line with round caps.
    const isAlone = !isOpen && (values[index + 1] ?? null) === null;
    path += `${isOpen ? "L" : "M"}${String(at.x)} ${String(at.y)}${isAlone ? "h0" : ""}`;
    isOpen = true;
    if (index === values.length - 1) last = at;
  }
  return { path, last };
}

/** `Requests: 4 now, between 0 and 12, 2 values missing`. */
export function describeSeries(label: string, values: readonly Value[], shown: (value: number) => string): string {
  const range = extent(values);
  if (range === undefined) return `${label}: no values`;
  const newest = values.at(-1) ?? null;
  const missing = values.filter((value) => value === null || !Number.isFinite(value)).length;
  const parts = [
    newest === null ? "none now" : `${shown(newest)} now`,
    range.min === range.max ? `always ${shown(range.min)}` : `between ${shown(range.min)} and ${shown(range.max)}`,
  ];
  if (missing > 0) parts.push(`${String(missing)} ${missing === 1 ? "value" : "values"} missing`);
  return `${label}: ${parts.join(", ")}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
