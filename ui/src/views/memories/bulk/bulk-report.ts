/** Many memories at a time: asked in chunks, told what became of each. Knows nothing of the daemon. */

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
  /** Changed, each with its version since. */
  readonly done: Map<string, number | undefined>;
  /** Were so already. */
  readonly same: string[];
  /** Somebody else changed them after they were shown. */
  readonly conflicts: string[];
  /** Somebody else forgot or erased them. */
  readonly gone: string[];
  /** Pinned ones, which stay. */
  readonly pinned: string[];
  /** Were unpinned for it, and could not be pinned again. */
  readonly unpinned: string[];
  /** Refused for another reason, by the reason. */
  readonly refused: Map<string, string[]>;
  /** Not reached: it was cancelled, or the daemon stopped answering. */
  readonly left: string[];
  error: ApiError | undefined;
}

export function emptyReport(): Report {
  return { done: new Map(), same: [], conflicts: [], gone: [], pinned: [], unpinned: [], refused: new Map(), left: [], error: undefined };
}

const GONE = new Set(["not_found", "deleted", "already_deleted", "not_deleted"]);

/** Enter one outcome; `verb` is the status that means it was done. */
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
  /** Aborting ends it between two chunks: what was sent is waited for. */
  readonly signal: AbortSignal;
  readonly onprogress: (done: number) => void;
}

/** Send all in chunks, one after the other; stops at the first chunk that fails. */
export async function inChunks<T extends Item>(run: ChunkedRun<T>, report: Report = emptyReport()): Promise<Report> {
  for (let start = 0; start < run.items.length; start += CHUNK) {
    const rest = (): void => { report.left.push(...run.items.slice(start).map((item) => item.id)); };
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

/** What became of them, in one sentence and what is left to say; `stay`: how many of them stay selected. */
export function summarize(report: Report, done: string, stay: number): { text: string; hint: string; failed: boolean } {
  const hints: string[] = [];
  const { conflicts, gone, pinned, unpinned, same, left, refused, error } = report;
  if (same.length > 0) hints.push(`${count(same.length)} ${same.length === 1 ? "was" : "were"} so already.`);
  if (conflicts.length > 0) hints.push(`${count(conflicts.length)} changed meanwhile by somebody else.`);
  if (gone.length > 0) hints.push(`${count(gone.length)} ${gone.length === 1 ? "is" : "are"} no longer here.`);
  if (pinned.length > 0) hints.push(`${count(pinned.length)} pinned ${pinned.length === 1 ? "one stays" : "ones stay"}.`);
  if (unpinned.length > 0) hints.push(`${count(unpinned.length)} pinned before ${unpinned.length === 1 ? "is" : "are"} unpinned now.`);
  for (const [why, ids] of refused) hints.push(`${count(ids.length)} refused: ${why}.`);
  if (error !== undefined) hints.push(`It stopped: ${error.message} ${error.hint}`.trim());
  if (left.length > 0) hints.push(`${count(left.length)} not reached.`);
  if (stay > 0) hints.push(stay === 1 ? "That stays selected." : "Those stay selected.");
  const many = report.done.size;
  const text = many === 0 && (hints.length > 0) ? `Nothing was ${done}.` : `${count(many)} ${done}.`;
  return { text, hint: hints.join(" "), failed: many === 0 && same.length === 0 };
}

/** Those that a person may want to look at, and so stay selected. */
export function keepSelected(report: Report): readonly string[] {
  return [...report.conflicts, ...report.pinned, ...[...report.refused.values()].flat(), ...report.left];
}
