/** What is to be imported: the chosen sources, what is kept, and the preview of that. */

import { untrack } from "svelte";

import { importApi, type ImportPreview, type ImportRun, type ImportSource, type KeepMode } from "$lib/api/imports";
import { asApiError, type ApiError } from "$lib/api/errors";
import { Resource } from "$lib/state/resource.svelte";

/** The preview of the chosen sources. */
class Preview extends Resource<ImportPreview, readonly string[]> {
  protected read(signal: AbortSignal, sources: readonly string[]): Promise<ImportPreview> {
    return importApi.preview(sources, signal);
  }
}

export function canImport({ sessions, problem }: ImportSource): boolean {
  return sessions > 0 && problem === "";
}

export class ImportDraft {
  keep = $state<KeepMode>("review");
  /** The project of sessions that have none; null: what is said in them waits in the inbox. */
  project = $state<string | null>(null);
  isStarting = $state(false);
  error = $state.raw<ApiError>();
  readonly preview = new Preview();
  /** Sources that aren't to be imported: without a choice, all are. */
  #declined = $state.raw<ReadonlySet<string>>(new Set());
  /** A preview was asked for; one of other sources doesn't count. */
  #previewed = $state.raw<readonly string[]>();
  readonly #sources: () => readonly ImportSource[];
  readonly available = $derived.by(() => this.#sources().filter(canImport));
  readonly chosen = $derived.by(() => this.available.filter(({ id }) => !this.#declined.has(id)));
  readonly sessions = $derived.by(() => this.chosen.reduce((sum, { sessions }) => sum + sessions, 0));
  /** Seconds. */
  readonly estimated = $derived.by(() => this.found?.estimatedS ?? this.chosen.reduce((sum, { estimatedS }) => sum + estimatedS, 0));
  readonly hasExport = $derived.by(() => this.chosen.some(({ kind }) => kind === "upload"));
  readonly isPreviewed = $derived.by(() => sameIds(this.#previewed, this.#ids));

  /** What the preview of the chosen sources found. */
  get found(): ImportPreview | undefined {
    return this.isPreviewed && this.preview.phase === "ready" ? this.preview.value : undefined;
  }

  constructor(sources: () => readonly ImportSource[]) {
    this.#sources = sources;
  }

  get #ids(): readonly string[] {
    return this.chosen.map(({ id }) => id);
  }

  isChosen(id: string): boolean {
    return this.chosen.some((source) => source.id === id);
  }

  choose(id: string, isWanted: boolean): void {
    const declined = new Set(this.#declined);
    if (isWanted) declined.delete(id);
    else declined.add(id);
    this.#declined = declined;
  }

  /** Choose one source only. */
  chooseOnly(id: string): void {
    this.#declined = new Set(this.available.map((source) => source.id).filter((other) => other !== id));
  }

  /** Show what would be kept; it takes seconds. */
  async look(): Promise<void> {
    const ids = untrack(() => this.#ids);
    if (ids.length === 0) return;
    this.#previewed = ids;
    await this.preview.reload(ids);
  }

  stopLooking(): void {
    this.preview.stop();
    this.#previewed = undefined;
  }

  /** Start importing; undefined if that failed, with the reason in `error`. */
  async start(): Promise<ImportRun | undefined> {
    if (this.isStarting || this.chosen.length === 0) return undefined;
    this.isStarting = true;
    this.error = undefined;
    try {
      return await importApi.start(this.#ids, this.keep, this.hasExport ? this.project : null);
    } catch (thrown) {
      this.error = asApiError(thrown);
      return undefined;
    } finally {
      this.isStarting = false;
    }
  }
}

function sameIds(one: readonly string[] | undefined, other: readonly string[]): boolean {
  return one?.length === other.length && one.every((id, index) => id === other[index]);
}
