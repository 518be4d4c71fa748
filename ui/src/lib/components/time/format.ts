/** Formats timestamps. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "medium" });
const SAME_YEAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const OTHER_YEAR = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric" });

const DAY_AND_YEAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const DAY_AND_CLOCK = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});

/** The timestamp in milliseconds; NaN if it can't be parsed. */
export function millis(iso: string): number {
  return Date.parse(iso);
}

export function full(iso: string): string {
  const at = millis(iso);
  return Number.isNaN(at) ? iso : FULL.format(at);
}

/** The day with its year: `3 Mar 2026`. */
export function day(iso: string): string {
  const at = millis(iso);
  return Number.isNaN(at) ? iso : DAY_AND_YEAR.format(at);
}

/** Relative and short: `now`, `5 m`, `3 h`, `6 d`, then the day, then the month. */
export function short(iso: string, now: number): string {
  const at = millis(iso);
  if (Number.isNaN(at)) return iso;
  const ago = now - at;
  if (ago < MINUTE && ago > -MINUTE) return "now";
  if (ago > 0 && ago < HOUR) return `${String(Math.floor(ago / MINUTE))} m`;
  if (ago > 0 && ago < DAY) return `${String(Math.floor(ago / HOUR))} h`;
  if (ago > 0 && ago < 7 * DAY) return `${String(Math.floor(ago / DAY))} d`;
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? SAME_YEAR : OTHER_YEAR).format(at);
}

/** Relative, for a sentence: `just now`, `5 minutes ago`, `on 3 Mar`. */
export function inWords(iso: string, now: number): string {
  const at = millis(iso);
  if (Number.isNaN(at)) return iso;
  const ago = now - at;
  if (ago < MINUTE && ago > -MINUTE) return "just now";
  const units: [number, number, string][] = [
    [HOUR, MINUTE, "minute"],
    [DAY, HOUR, "hour"],
    [7 * DAY, DAY, "day"],
  ];
  for (const [below, size, name] of units) {
    if (ago > 0 && ago < below) {
      const count = Math.floor(ago / size);
      return `${String(count)} ${name}${count === 1 ? "" : "s"} ago`;
    }
  }
  return `on ${short(iso, now)}`;
}

/** A future time: the time of day, with the date unless it's today. */
export function clock(iso: string, now: number): string {
  const at = millis(iso);
  if (Number.isNaN(at)) return iso;
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return (isToday ? CLOCK : DAY_AND_CLOCK).format(at);
}

/** The time of day. */
export function timeOfDay(iso: string): string {
  const at = millis(iso);
  return Number.isNaN(at) ? iso : CLOCK.format(at);
}

/** The time left: `3 min`, `1 h 5 min`, `2 d 3 h`; at least one minute. */
export function left(iso: string, now: number): string {
  const minutes = Math.max(1, Math.ceil((millis(iso) - now) / MINUTE));
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  const parts = days > 0 ? [days, "d", hours, "h"] : [hours, "h", minutes % 60, "min"];
  const words: string[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    if (parts[index] !== 0) words.push(`${String(parts[index])} ${String(parts[index + 1])}`);
  }
  return words.join(" ");
}
