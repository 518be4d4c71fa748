/** A job on several memories: progress, summary, undo. */

import { api, type Versions } from "$lib/api/client";
import { asApiError, isAbort } from "$lib/api/errors";
import { sameVersions } from "$lib/memory/memory-undo";
import { rowOf, type ListRow } from "$lib/memory/rows";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

import { changeVerb, patchOf, undoOf, type Change, type Patch } from "./bulk-changes";
import { emptyReport, inChunks, summarize, keepSelected, type Report } from "./bulk-report";

export interface JobProgress {
  /** The activity: "Pinning". */
  readonly what: string;
  readonly done: number;
  /** Undefined while unknown. */
  readonly total: number | undefined;
}

/** What the job needs from the page. */
export interface Page {
  /** Ignore change events, which the job causes, until the returned function is called. */
  hold: () => () => void;
  /** Keep only these selected; returns how many were. */
  keep: (ids: readonly string[]) => number;
  /** These are forgotten; close the open memory if it is one of them. */
  forgotten: (ids: readonly string[]) => void;
  changed: (ids: readonly string[]) => void;
}

type Work = (signal: AbortSignal) => Promise<Report>;

const REASON = "changed with others in the dashboard";
const PARALLEL_READS = 8;

/** The versions that were seen, by id. */
function versionsOf(rows: readonly ListRow[]): Versions {
  return new Map(rows.map((row) => [row.id, row.version]));
}

export class BulkJob {
  working = $state.raw<JobProgress>();
  #work = new AbortController();
  #collecting = new AbortController();
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Cancel after the pending chunk. */
  cancel(): void {
    this.#work.abort();
  }

  /** Cancel a pending "select all", for a list that is no longer shown. */
  endCollecting(): void {
    this.#collecting.abort();
  }

  async change(change: Change, rows: readonly ListRow[]): Promise<void> {
    const done = changeVerb(change);
    await this.#run("Changing", done, rows.length, async (signal) => {
      const { known, gone } = await this.#readCurrent(rows, signal);
      const report = emptyReport();
      report.gone.push(...gone);
      const patches: Patch[] = [];
      for (const row of known) {
        const patch = patchOf(change, row);
        if (patch === undefined) report.same.push(row.id);
        else patches.push(patch);
      }
      await this.#modify(patches, signal, report);
      const undone = known.flatMap((row) => (report.done.has(row.id) ? [undoOf(change, row, report.done.get(row.id))] : []));
      const stay = this.#page.keep(keepSelected(report));
      this.#page.changed([...report.done.keys()]);
      this.#toast(report, done, stay, undone.length === 0 ? undefined : () => this.#undo(undone, versionsOf(known)));
      return report;
    });
  }

  async #undo(patches: readonly Patch[], former: Versions): Promise<void> {
    await this.#run("Undoing", "restored", patches.length, async (signal) => {
      const now = patches.map((patch) => ({ ...patch, if_version: sameVersions.newest(patch.id, patch.if_version) }));
      const report = await this.#modify(now, signal);
      sameVersions.addAll(former, report.done);
      this.#page.changed([...report.done.keys()]);
      this.#toast(report, "restored", 0);
      return report;
    });
  }

  #modify(items: readonly Patch[], signal: AbortSignal, report = emptyReport()): Promise<Report> {
    const onprogress = this.#counter(items.length);
    return inChunks({ items, verb: "updated", signal, onprogress, send: (chunk) => api.modifyMany(chunk, REASON) }, report);
  }

  /** Forget memories; with `unpin`, unpin and forget pinned ones too. */
  async forget(rows: readonly ListRow[], unpin: boolean): Promise<void> {
    await this.#run("Forgetting", "forgotten", rows.length, async (signal) => {
      const { known, gone: missing } = await this.#readCurrent(rows, signal);
      const pinned = known.filter((row) => row.pinned);
      const unpinned = emptyReport();
      if (unpin && pinned.length > 0) {
        const patches = pinned.map((row) => ({ id: row.id, if_version: row.version, pinned: false }));
        await this.#modify(patches, signal, unpinned);
      }
      // Skip the conflicts that unpinning found.
      const report: Report = { ...unpinned, done: new Map(), same: [] };
      const stays = new Set([...keepSelected(unpinned), ...unpinned.gone]);
      report.gone.push(...missing);
      const items = known.filter((row) => !stays.has(row.id)).map(({ id, version }) => ({ id, version: unpinned.done.get(id) ?? version }));
      const send = (chunk: readonly (typeof items)[number][]): ReturnType<typeof api.forgetMany> =>
        api.forgetMany(new Map(chunk.map((one) => [one.id, one.version])), "forgotten with others in the dashboard");
      if (report.error === undefined) {
        await inChunks({ items, verb: "deleted", signal, onprogress: this.#counter(items.length), send }, report);
      }
      report.unpinned.push(
        ...keepSelected(await this.#pinAgain([...unpinned.done].filter(([id]) => !report.done.has(id) && !report.gone.includes(id)))),
      );
      const gone = [...report.done.keys()];
      const repin = pinned.map((row) => row.id).filter((id) => unpin && report.done.has(id));
      const stay = this.#page.keep(keepSelected(report));
      this.#page.forgotten(gone);
      this.#toast(report, "forgotten", stay, gone.length === 0 ? undefined : () => this.#recover(report.done, repin, versionsOf(known)));
      return report;
    });
  }

  /** Pin what was only unpinned to be forgotten, also where that was cancelled. */
  #pinAgain(versions: readonly (readonly [string, number | undefined])[]): Promise<Report> {
    const patches = versions.map(([id, if_version]) => ({ id, if_version, pinned: true }));
    return this.#modify(patches, new AbortController().signal);
  }

  /** Restore memories that haven't changed since, and pin those that were pinned. */
  async #recover(versions: Versions, repin: readonly string[], former: Versions): Promise<void> {
    await this.#run("Restoring", "restored", versions.size, async (signal) => {
      const items = [...versions].map(([id, version]) => ({ id, version: sameVersions.newest(id, version) }));
      const send = (chunk: readonly (typeof items)[number][]): ReturnType<typeof api.recoverMany> =>
        api.recoverMany(new Map(chunk.map((one) => [one.id, one.version])), "undone in the dashboard");
      const report = await inChunks({ items, verb: "recovered", signal, onprogress: this.#counter(items.length), send });
      const back = repin.filter((id) => report.done.has(id));
      const pinned = await this.#pinAgain(back.map((id) => [id, report.done.get(id)]));
      report.unpinned.push(...keepSelected(pinned));
      // One that is not pinned as it was is not what it was.
      sameVersions.addAll(former, new Map([...report.done, ...pinned.done].filter(([id]) => !report.unpinned.includes(id))));
      this.#page.changed([...report.done.keys()]);
      this.#toast(report, "restored", 0);
      return report;
    });
  }

  /** Load data with progress; undefined if another job is running. */
  async collect<T>(
    what: string,
    total: number | undefined,
    read: (signal: AbortSignal, onprogress: (done: number) => void) => Promise<T>,
  ): Promise<T | undefined> {
    if (this.working !== undefined) return undefined;
    const work = new AbortController();
    this.#work = work;
    this.#collecting = work;
    this.working = { what, done: 0, total };
    try {
      return await read(work.signal, (done) => (this.working = { what, done, total }));
    } finally {
      this.working = undefined;
    }
  }

  async #run(what: string, done: string, total: number, task: Work): Promise<void> {
    if (this.working !== undefined || total === 0) return;
    const work = new AbortController();
    this.#work = work;
    this.working = { what, done: 0, total };
    const release = this.#page.hold();
    try {
      await task(work.signal);
    } catch (thrown) {
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      if (!isAbort(thrown)) toasts.add(`Nothing was ${done}: ${why}`, { tone: "danger" });
    } finally {
      this.working = undefined;
      release();
    }
  }

  #counter(total: number): (done: number) => void {
    const what = this.working?.what ?? "";
    return (done) => (this.working = { what, done, total });
  }

  #toast(report: Report, done: string, stay: number, undo?: () => Promise<void>): void {
    if (report.error?.isSignedOut === true && report.done.size === 0) return;
    const { text, hint, failed } = summarize(report, done, stay);
    const tone = failed ? "danger" : "plain";
    if (undo === undefined) toasts.add(text, { hint, tone });
    // The result of the undo is reported like any bulk job.
    else offerUndo({ text, hint, tone, undo, undone: "", blocked: () => this.#busyReason() });
  }

  #busyReason(): string | undefined {
    return this.working === undefined ? undefined : `${this.working.what} is still running. Undo it afterwards.`;
  }

  /** Search results have no versions: load such rows in full, a few at a time. */
  async #readCurrent(
    rows: readonly ListRow[],
    signal: AbortSignal,
  ): Promise<{ readonly known: readonly ListRow[]; readonly gone: readonly string[] }> {
    const read = new Map<string, ListRow>();
    const missing = rows.filter((row) => row.version === undefined).map((row) => row.id);
    const gone: string[] = [];
    const readOn = async (): Promise<void> => {
      for (let id = missing.pop(); id !== undefined; id = missing.pop()) {
        try {
          read.set(id, rowOf(await api.memory(id, signal)));
        } catch (thrown) {
          if (asApiError(thrown).status !== 404) throw thrown;
          gone.push(id);
        }
      }
    };
    if (missing.length === 0) return { known: rows, gone };
    await Promise.all(Array.from({ length: PARALLEL_READS }, readOn));
    return { known: rows.flatMap((row) => (row.version === undefined ? (read.get(row.id) ?? []) : row)), gone };
  }
}
