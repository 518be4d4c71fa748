/** Groups events by calendar day. */

import { millis } from "./format";

export interface Day<Event> {
  /** The ISO date: `2026-11-22`. */
  readonly key: string;
  readonly label: string;
  readonly events: readonly Event[];
}

const THIS_YEAR = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const OTHER_YEAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** Group events, newest first; unparseable timestamps come last, each as its own group. */
export function byDay<Event extends { readonly at: string }>(events: readonly Event[], now: number): Day<Event>[] {
  return inDays(
    events.toSorted((one, other) => order(other) - order(one)),
    now,
  );
}

/** Group events in the order that they have. */
export function inDays<Event extends { readonly at: string }>(events: readonly Event[], now: number): Day<Event>[] {
  const days: { key: string; label: string; events: Event[] }[] = [];
  for (const event of events) {
    const key = dayKey(event.at);
    const last = days.at(-1);
    if (last?.key === key) last.events.push(event);
    else days.push({ key, label: dayLabel(event.at, now), events: [event] });
  }
  return days;
}

function order({ at }: { readonly at: string }): number {
  const moment = millis(at);
  return Number.isNaN(moment) ? -Infinity : moment;
}

/** The local date of a timestamp; an unparseable one is a day of its own. */
export function dayKey(iso: string): string {
  const at = millis(iso);
  return Number.isNaN(at) ? iso : keyOf(new Date(at));
}

/** `Today`, `Yesterday`, else the date. */
export function dayLabel(iso: string, now: number): string {
  const at = millis(iso);
  if (Number.isNaN(at)) return iso;
  const [day, today] = [new Date(at), new Date(now)];
  if (keyOf(day) === keyOf(today)) return "Today";
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (keyOf(day) === keyOf(yesterday)) return "Yesterday";
  return (day.getFullYear() === today.getFullYear() ? THIS_YEAR : OTHER_YEAR).format(day);
}

function keyOf(day: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${String(day.getFullYear())}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
