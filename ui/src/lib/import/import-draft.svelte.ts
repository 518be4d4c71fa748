/** What is to be imported: the chosen sources, what is kept, and the preview of that. */

import { untrack } from "svelte";

import { importApi, type ImportPreview, type ImportRun, type ImportSource, type KeepMode } from "$lib/api/imports";
import { asApiError, type ApiError } from "$lib/api/errors";
import { Resource } from "$lib/state/resource.svelte";

interface Choice {
  readonly sources: readonly string[];
  readonly project: string | null;
}

/** The preview of the chosen sources. */
class Preview extends Resource<ImportPreview, Choice> {
  protected read(signal: AbortSignal, { sources, project }: Choice): Promise<ImportPreview> {
    return importApi.preview(sources, project, signal);
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
  /** A preview was asked for; one of another choice doesn't count. */
  #previewed = $state.raw<Choice>();
  readonly #sources: () => readonly ImportSource[];
  readonly available = $derived.by(() => this.#sources().filter(canImport));
  readonly chosen = $derived.by(() => this.available.filter(({ id }) => !this.#declined.has(id)));
  readonly sessions = $derived.by(() => this.chosen.reduce((sum, { sessions }) => sum + sessions, 0));
  /** Seconds. */
  readonly estimated = $derived.by(() => this.found?.estimatedS ?? this.chosen.reduce((sum, { estimatedS }) => sum + estimatedS, 0));
  readonly hasExport = $derived.by(() => this.chosen.some(({ kind }) => kind === "upload"));
  readonly isPreviewed = $derived.by(() => isSame(this.#previewed, this.#choice));

  /** What the preview of the chosen sources found. */
  get found(): ImportPreview | undefined {
    return this.isPreviewed && this.preview.phase === "ready" ? this.preview.value : undefined;
  }

  constructor(sources: () => readonly ImportSource[]) {
    this.#sources = sources;
  }

  get #choice(): Choice {
    return { sources: this.chosen.map(({ id }) => id), project: this.hasExport ? this.project : null };
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
    const choice = untrack(() => this.#choice);
    if (choice.sources.length === 0) return;
    this.#previewed = choice;
    await this.preview.reload(choice);
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
      const { sources, project } = this.#choice;
      return await importApi.start(sources, this.keep, project);
    } catch (thrown) {
      this.error = asApiError(thrown);
      return undefined;
    } finally {
      this.isStarting = false;
    }
  }
}

function isSame(one: Choice | undefined, { sources, project }: Choice): boolean {
  return one?.project === project && one.sources.length === sources.length && one.sources.every((id, index) => id === sources[index]);
}
