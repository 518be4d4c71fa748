/** The queue's numbers in words. */

import type { JobList } from "$lib/api/client";

export interface TypeCounts {
  readonly type: string;
  readonly label: string;
  readonly waiting: number;
  readonly working: number;
  readonly givenUp: number;
}

/** One line for each type that has any job. */
export function byType(counts: JobList["counts"]): TypeCounts[] {
  const lines = new Map<string, TypeCounts>();
  for (const { type, label, status, count } of counts) {
    const before = lines.get(type) ?? { type, label, waiting: 0, working: 0, givenUp: 0 };
    lines.set(type, {
      ...before,
      waiting: before.waiting + (status === "pending" ? count : 0),
      working: before.working + (status === "leased" ? count : 0),
      givenUp: before.givenUp + (status === "dead" ? count : 0),
    });
  }
  return [...lines.values()].filter((line) => line.waiting + line.working + line.givenUp > 0);
}

/** A length of time as a person says it: `40 s`, `5 min`, `3 h`, `2 d`. */
export function age(seconds: number): string {
  if (seconds < 60) return `${String(Math.floor(seconds))} s`;
  if (seconds < 3_600) return `${String(Math.floor(seconds / 60))} min`;
  if (seconds < 86_400) return `${String(Math.floor(seconds / 3_600))} h`;
  return `${String(Math.floor(seconds / 86_400))} d`;
}

/** How fast it goes and how long the oldest waits; nothing while nothing waits or was done. */
export function pace(doneLastMinute: number, oldestAgeS: number | null | undefined): string {
  const parts: string[] = [];
  if (doneLastMinute > 0) parts.push(`${doneLastMinute.toLocaleString()} done in the last minute`);
  if (oldestAgeS !== null && oldestAgeS !== undefined) parts.push(`the oldest waits ${age(oldestAgeS)}`);
  return parts.join(", ");
}
