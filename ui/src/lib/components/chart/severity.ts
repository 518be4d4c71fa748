/** How alarming a value is, by the thresholds that its reader set. */

export type Severity = "plain" | "warn" | "danger";

/** Where `danger` lies below `warn`, little is what is bad. */
export function severityOf(value: number, warn: number | undefined, danger: number | undefined): Severity {
  const isLow = warn !== undefined && danger !== undefined && danger < warn;
  const passed = (threshold: number | undefined): boolean =>
    threshold !== undefined && (isLow ? value <= threshold : value >= threshold);
  if (passed(danger)) return "danger";
  return passed(warn) ? "warn" : "plain";
}
