/** Job counts by type, and the queue's throughput as text. */

import type { JobList, JobRow } from "$lib/api/client";
import { subjectPath } from "$lib/models/work-subjects";

export interface TypeCounts {
  readonly type: string;
  readonly label: string;
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
}

/** Sum up the counts of each job type that has any jobs. */
export function countByType(counts: JobList["counts"]): TypeCounts[] {
  const lines = new Map<string, TypeCounts>();
  for (const { type, label, status, count } of counts) {
    const before = lines.get(type) ?? { type, label, queued: 0, running: 0, failed: 0 };
    lines.set(type, {
      ...before,
      queued: before.queued + (status === "pending" ? count : 0),
      running: before.running + (status === "leased" ? count : 0),
      failed: before.failed + (status === "dead" ? count : 0),
    });
  }
  return [...lines.values()].filter((line) => line.queued + line.running + line.failed > 0);
}

/** A duration in its largest unit: `40 s`, `5 min`, `3 h`, `2 d`. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${String(Math.floor(seconds))} s`;
  if (seconds < 3_600) return `${String(Math.floor(seconds / 60))} min`;
  if (seconds < 86_400) return `${String(Math.floor(seconds / 3_600))} h`;
  return `${String(Math.floor(seconds / 86_400))} d`;
}

/** Jobs done in the last minute and the age of the oldest; empty for an idle queue. */
export function throughput(doneLastMinute: number, oldestAgeS: number | null | undefined): string {
  const parts: string[] = [];
  if (doneLastMinute > 0) parts.push(`${doneLastMinute.toLocaleString()} done in the last minute`);
  if (oldestAgeS !== null && oldestAgeS !== undefined) parts.push(`oldest waiting ${formatAge(oldestAgeS)}`);
  return parts.join(", ");
}

/** What a job is about, as a person knows it. */
export function subjectOf(job: JobRow): string {
  if (job.memory_id === null) return `${job.label}: ${job.about?.title ?? job.subject}`;
  return job.title ?? "Memory not found";
}

/** The page of what a job is about; undefined if it has none. */
export function pathOf({ memory_id, about }: JobRow): string | undefined {
  if (memory_id !== null) return subjectPath({ kind: "memory", id: memory_id });
  return about === null ? undefined : subjectPath(about);
}
