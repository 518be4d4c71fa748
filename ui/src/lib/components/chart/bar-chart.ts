/** Scales, stacks and labels of a chart of bars. */

export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  /** One a point; not negative. */
  readonly values: readonly number[];
  /** A CSS colour. */
  readonly color: string;
}

/** A part of a bar, from and to in units of the values. */
export interface BarPart {
  readonly color: string;
  readonly from: number;
  readonly to: number;
}

const STEPS = [1, 2, 4, 5, 10];
const BASE = 10;
/** How wide a label and the gap to the next one are. */
export const LABEL_PX = 64;

/** The upper end of a scale that starts at 0 and has round numbers at its end and in its middle. */
export function scaleTop(most: number): number {
  if (most <= 1) return 1;
  const power = BASE ** Math.floor(Math.log10(most));
  return (STEPS.find((step) => step * power >= most) ?? BASE) * power;
}

/** The marks of a scale; whole numbers only. */
export function scaleMarks(top: number): readonly number[] {
  return Number.isInteger(top / 2) ? [0, top / 2, top] : [0, top];
}

/** The parts of each bar, from the bottom to the top. */
export function stackedBars(series: readonly ChartSeries[], count: number): readonly (readonly BarPart[])[] {
  return Array.from({ length: count }, (_, at) => {
    let from = 0;
    return series.flatMap(({ values, color }) => {
      const value = values[at] ?? 0;
      if (value <= 0) return [];
      const part = { color, from, to: from + value };
      from += value;
      return [part];
    });
  });
}

/** The sum of a point over all series. */
export function sumAt(series: readonly ChartSeries[], at: number): number {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}

/** How many points share a label, so that labels don't touch. */
export function labelEvery(count: number, width: number): number {
  const room = Math.max(1, Math.floor(width / LABEL_PX));
  return Math.max(1, Math.ceil(count / room));
}

/** The line over the values of a series, as an SVG path. */
export function linePath(values: readonly number[], x: (at: number) => number, y: (value: number) => number): string {
  return values.map((value, at) => `${at === 0 ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/** Where a key moves the cursor of a chart; undefined for another key. */
export function movedCursor(key: string, at: number, count: number): number | undefined {
  const moved = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count - 1 }[key];
  return moved === undefined ? undefined : Math.max(0, Math.min(count - 1, moved));
}
