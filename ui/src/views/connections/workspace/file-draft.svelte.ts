/** The text of a file of the workspace while it is edited; a change on disk meanwhile is never overwritten unseen. */

import { asApiError, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { workspaceApi } from "$lib/api/workspace";
import { Resource, type Outcome } from "$lib/state/resource.svelte";

const GATHER_MS = 100;

export interface FileText {
  /** Null if the file is missing. */
  readonly text: string | null;
}

export type SaveOutcome = "saved" | "changed" | "failed";

/** Text fields have line feeds only. */
const shown = (text: string): string => text.replaceAll("\r\n", "\n");

export class FileDraft extends Resource<FileText> {
  protected override readonly resyncMs = GATHER_MS;
  text = $state("");
  /** The file as it was when editing began, or as last seen and accepted. */
  base = $state.raw<FileText>();
  /** What stands in the file now, if that isn't `base` and the user has other changes. */
  theirs = $state.raw<FileText>();
  isSaving = $state(false);
  saveError = $state.raw<ApiError>();

  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  get isNew(): boolean {
    return this.base?.text === null;
  }

  get isDirty(): boolean {
    return this.base !== undefined && this.text !== shown(this.base.text ?? "");
  }

  protected async read(signal: AbortSignal): Promise<FileText> {
    return { text: await workspaceApi.fileText(this.name, signal) };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "workspace" ? GATHER_MS : undefined;
  }

  protected override settled(outcome: Exclude<Outcome, "aborted">): void {
    const { value } = this;
    if (outcome !== "ready" || value === undefined || value.text === this.base?.text) return;
    if (this.isDirty && !this.isSaving && value.text !== this.#written) this.theirs = value;
    else if (!this.isSaving) this.#accept(value);
  }

  #accept(file: FileText): void {
    this.base = file;
    this.text = shown(file.text ?? "");
    this.theirs = undefined;
  }

  /** The text to write, with the file's own line ends. */
  get #written(): string {
    const base = this.base?.text ?? "";
    const isWindows = base.includes("\r\n") && !/(?<!\r)\n/u.test(base);
    return isWindows ? this.text.replaceAll("\n", "\r\n") : this.text;
  }

  /** Write the text, unless the file has changed since editing began. */
  async save(): Promise<SaveOutcome> {
    this.isSaving = true;
    this.saveError = undefined;
    try {
      const content = this.#written;
      const now = await workspaceApi.fileText(this.name);
      if (now !== this.base?.text && now !== content) {
        this.theirs = { text: now };
        return "changed";
      }
      await workspaceApi.writeFile(this.name, content);
      this.base = { text: content };
      this.theirs = undefined;
      return "saved";
    } catch (thrown) {
      this.saveError = asApiError(thrown);
      return "failed";
    } finally {
      this.isSaving = false;
    }
  }

  /** Go on with the user's text; saving replaces what stands in the file now. */
  keepMine(): void {
    if (this.theirs !== undefined) this.base = this.theirs;
    this.theirs = undefined;
  }

  /** Go on with what stands in the file now. */
  takeTheirs(): void {
    if (this.theirs !== undefined) this.#accept(this.theirs);
  }
}
