/** Days as the map counts them: local ones, since 1970-01-01. */

const DAY_MS = 86_400_000;

const LONG = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** The local day of a moment. */
export function dayOf(moment: Date): number {
  return Math.floor((moment.getTime() - moment.getTimezoneOffset() * 60_000) / DAY_MS);
}

/** `2026-03-09`, as the address and date fields write it. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day of such a text; undefined if it is none. */
export function parseDay(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00:00Z`);
  // A day that doesn't exist, such as 30 February, is read as another one.
  return Number.isNaN(at) || isoDay(at / DAY_MS) !== text ? undefined : at / DAY_MS;
}

/** `9 Mar 2026`. */
export function dayText(day: number): string {
  return LONG.format(day * DAY_MS);
}

/** `9 Mar – 3 Apr 2026`, or one day. */
export function rangeText(from: number, to: number): string {
  return LONG.formatRange(from * DAY_MS, to * DAY_MS);
}
