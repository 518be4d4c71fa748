/**
 * The time of a map in its address: `from` and `to` for a range of days of creation, `asOf` for a
 * day, `since` and `asOf` for the difference of two.
 */

import { isoDay, parseDay } from "./days";
import { NOW, type TimeView } from "./time-view";

/** The parameters of an address that tell a time; all others are none of its business. */
export const TIME_PARAMETERS = ["from", "to", "since", "asOf"] as const;

/** The time that an address asks for; what can't be read counts as now. */
export function timeOf(query: URLSearchParams): TimeView {
  const [from, to, since, asOf] = TIME_PARAMETERS.map((name) => parseDay(query.get(name)));
  if (asOf !== undefined) {
    if (since === undefined) return { kind: "asOf", day: asOf };
    return { kind: "difference", from: Math.min(since, asOf), to: Math.max(since, asOf) };
  }
  if (from === undefined || to === undefined) return NOW;
  return { kind: "created", from: Math.min(from, to), to: Math.max(from, to) };
}

/** The parameters that ask for this time. */
export function timeQuery(view: TimeView): Partial<Record<(typeof TIME_PARAMETERS)[number], string>> {
  switch (view.kind) {
    case "now":
      return {};
    case "created":
      return { from: isoDay(view.from), to: isoDay(view.to) };
    case "asOf":
      return { asOf: isoDay(view.day) };
    case "difference":
      return { since: isoDay(view.from), asOf: isoDay(view.to) };
  }
}
