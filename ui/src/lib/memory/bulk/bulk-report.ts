/** Processes many memories in chunks and summarizes the outcomes. */

import { asApiError, isAbort, type ApiError } from "$lib/api/errors";

/** The most that one request takes. */
export const CHUNK = 200;

export interface Item {
  readonly id: string;
}

export interface Result {
  readonly id: string;
  readonly status: string;
  readonly error?: string | null | undefined;
  readonly newVersion?: number | null | undefined;
}

export interface Report {
  /** Changed, with the new version of each. */
  readonly done: Map<string, number | undefined>;
  /** Already had the wanted values. */
  readonly same: string[];
  /** Changed by someone else since they were shown. */
  readonly conflicts: string[];
  /** Forgotten or erased by someone else. */
  readonly gone: string[];
  /** Pinned, and therefore kept. */
  readonly pinned: string[];
  /** Unpinned for the job, and not pinned again because that failed. */
  readonly unpinned: string[];
  /** Failed for other reasons, by reason. */
  readonly refused: Map<string, string[]>;
  /** Not processed: the job was cancelled, or the daemon stopped responding. */
  readonly left: string[];
  error: ApiError | undefined;
}

export function emptyReport(): Report {
  return { done: new Map(), same: [], conflicts: [], gone: [], pinned: [], unpinned: [], refused: new Map(), left: [], error: undefined };
}

const GONE = new Set(["not_found", "deleted", "already_deleted", "not_deleted"]);

/** Record one outcome; `verb` is the status that means success. */
export function recordResult(report: Report, result: Result, verb: string): void {
  const { id, status } = result;
  if (status === verb) report.done.set(id, result.newVersion ?? undefined);
  else if (status === "no_changes") report.same.push(id);
  else if (status === "version_conflict") report.conflicts.push(id);
  else if (status === "pinned_requires_force") report.pinned.push(id);
  else if (GONE.has(status)) report.gone.push(id);
  else {
    const why = result.error ?? status;
    report.refused.set(why, [...(report.refused.get(why) ?? []), id]);
  }
}

export interface ChunkedRun<T extends Item> {
  readonly items: readonly T[];
  readonly verb: "updated" | "deleted" | "recovered";
  readonly send: (chunk: readonly T[]) => Promise<readonly Result[]>;
  /** Aborting ends it between two chunks; a pending request is awaited. */
  readonly signal: AbortSignal;
  readonly onprogress: (done: number) => void;
}

/** Send all items in sequential chunks; stops at the first chunk that fails. */
export async function inChunks<T extends Item>(run: ChunkedRun<T>, report: Report = emptyReport()): Promise<Report> {
  for (let start = 0; start < run.items.length; start += CHUNK) {
    const rest = (): void => {
      report.left.push(...run.items.slice(start).map((item) => item.id));
    };
    if (run.signal.aborted) {
      rest();
      break;
    }
    try {
      for (const result of await run.send(run.items.slice(start, start + CHUNK))) recordResult(report, result, run.verb);
    } catch (thrown) {
      if (!isAbort(thrown)) report.error = asApiError(thrown);
      rest();
      break;
    }
    run.onprogress(Math.min(start + CHUNK, run.items.length));
  }
  return report;
}

const count = (many: number): string => many.toLocaleString();

/** A summary of the report with hints; `stay`: how many rows stay selected. */
export function summarize(report: Report, done: string, stay: number): { text: string; hint: string; failed: boolean } {
  const hints: string[] = [];
  const { conflicts, gone, pinned, unpinned, same, left, refused, error } = report;
  if (same.length > 0) hints.push(`${count(same.length)} unchanged.`);
  if (conflicts.length > 0) hints.push(`${count(conflicts.length)} skipped: changed by someone else.`);
  if (gone.length > 0) hints.push(`${count(gone.length)} no longer ${gone.length === 1 ? "exists" : "exist"}.`);
  if (pinned.length > 0) hints.push(`${count(pinned.length)} skipped: pinned.`);
  if (unpinned.length > 0) hints.push(`${count(unpinned.length)} ${unpinned.length === 1 ? "is" : "are"} now unpinned.`);
  for (const [why, ids] of refused) hints.push(`${count(ids.length)} failed: ${why}.`);
  if (error !== undefined) hints.push(`Stopped: ${error.message} ${error.hint}`.trim());
  if (left.length > 0) hints.push(`${count(left.length)} not processed.`);
  if (stay > 0) hints.push(stay === 1 ? "It's still selected." : "They're still selected.");
  const many = report.done.size;
  const text = many === 0 && hints.length > 0 ? `Nothing was ${done}.` : `${count(many)} ${done}.`;
  return { text, hint: hints.join(" "), failed: many === 0 && same.length === 0 };
}

/** The memories that stay selected, for the user to review. */
export function keepSelected(report: Report): readonly string[] {
  return [...report.conflicts, ...report.pinned, ...[...report.refused.values()].flat(), ...report.left];
}
