/** The severity of a value by its thresholds. */

export type Severity = "plain" | "warn" | "danger";

/** If `danger` is below `warn`, low values are bad. */
export function severityOf(value: number, warn: number | undefined, danger: number | undefined): Severity {
  const isLow = warn !== undefined && danger !== undefined && danger < warn;
  const passed = (threshold: number | undefined): boolean => threshold !== undefined && (isLow ? value <= threshold : value >= threshold);
  if (passed(danger)) return "danger";
  return passed(warn) ? "warn" : "plain";
}
