/** What is said about sources and imports. */

import type { ImportPreview, ImportRun, ImportSource } from "$lib/api/imports";
import { day, timeOfDay } from "$lib/components/time/format";
import { bytes, duration } from "$lib/format-units";
import { plural } from "$lib/plural";

/** Days in a sentence: "3 Mar 2026", or "3 Mar 2026 to 20 Nov 2026"; empty if none is known. */
export function daysText(since: string | null, until: string | null): string {
  const known = [since, until].filter((iso) => iso !== null);
  return [...new Set(known.map(day))].join(" to ");
}

/** When an import was started: "27 Nov 2026, 10:34". */
export function momentText(iso: string): string {
  return `${day(iso)}, ${timeOfDay(iso)}`;
}

/** "412 sessions in 14 projects, 3 Mar 2026 to 20 Nov 2026, 1.20 GB". */
export function sourceText({ sessions, projects, since, until, bytes: size }: ImportSource): string {
  const named = projects.filter(({ key }) => key !== null).length;
  const count = `${plural(sessions, "session")}${named > 0 ? ` in ${plural(named, "project")}` : ""}`;
  return [count, daysText(since, until), bytes(size)].filter((part) => part !== "").join(", ");
}

/** A warning of what an agent is about to delete; empty if it deletes nothing soon. */
export function expiryText({ expiring, expiresAt, label }: Pick<ImportSource, "expiring" | "expiresAt" | "label">): string {
  if (expiring === 0) return "";
  // An agent deletes when it starts, so that those that are due are still there.
  const isDue = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return `${label} will delete ${plural(expiring, "session")} within 7 days${isDue ? ", some as soon as it starts" : ""}.`;
}

/** A time that a job takes, roughly: "less than a minute", "about 4 min". */
export function roughly(seconds: number): string {
  if (seconds < 60) return "less than a minute";
  const minutes = Math.ceil(seconds / 60);
  return `about ${duration(minutes * 60)}`;
}

/** What a preview found, as sentences. */
export function previewText({ sessions, sampled, kept, suggested, estimatedS }: ImportPreview, keep: ImportRun["keep"]): string {
  if (sessions === 0) return "There is nothing to import.";
  const isExact = sampled >= sessions;
  const about = (count: number, one: string, many = `${one}s`): string => {
    // An estimate of none doesn't say that there is none.
    if (count === 0) return `${isExact ? "no" : "hardly any"} ${many}`;
    return isExact ? plural(count, one, many) : `about ${plural(count, one, many)}`;
  };
  const rest =
    keep === "sure"
      ? `${about(suggested, "less certain line")} would be left out`
      : `${about(suggested, "suggestion")} would wait in your inbox`;
  const sentence = `${about(kept, "memory", "memories")} would be kept, and ${rest}.`;
  const basis = isExact ? "" : ` Estimated from the newest ${sampled.toLocaleString()} of ${plural(sessions, "session")}.`;
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${basis} Importing takes ${roughly(estimatedS)}.`;
}

/** Whether an import goes on. */
export function isActive({ state }: Pick<ImportRun, "state">): boolean {
  return state === "waiting" || state === "running" || state === "cancelling";
}

const STATES: Readonly<Record<ImportRun["state"], string>> = {
  waiting: "Waiting",
  running: "Running",
  cancelling: "Stopping",
  cancelled: "Stopped",
  done: "Done",
  failed: "Failed",
};

/** The state of an import in a few words; sessions that failed are counted. */
export function stateText({ state, removed, failed }: Pick<ImportRun, "state" | "removed" | "failed">): string {
  if (removed !== null) return "Taken back";
  return state === "done" && failed > 0 ? `Done, ${failed.toLocaleString()} failed` : STATES[state];
}

/** How far an import is: "1.20 of 3.40 GB, about 4 min left". */
export function progressText({ state, bytes: all, bytesDone, remainingS }: ImportRun): string {
  if (state === "waiting") return "Waiting to start";
  const size = all > 0 ? `${bytes(bytesDone)} of ${bytes(all)}` : "";
  const left = remainingS === null ? "" : `${roughly(remainingS)} left`;
  return [size, left].filter((part) => part !== "").join(", ");
}
