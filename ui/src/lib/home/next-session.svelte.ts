/** What the next session of a project would be told, kept current, and changes of its lines. */

import { api, type ContextPreview, type PreviewLine, type PreviewReply } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { forget, rateUseful, retire, setPinned, type TakeOut } from "$lib/memory/memory-actions";
import { Resource } from "$lib/state/resource.svelte";

import { withChange, withoutLine } from "./preview-block";

const GATHER_MS = 100;
/** Each event of a session may change what recent work is about. */
const WORK_MS = 2_000;
const TYPING_MS = 400;
/** Under this name a line of the preview is rated: no session was told it yet. */
const RATED_AS = "dashboard";

interface PreviewQuestion {
  /** Null: a session without a project. */
  readonly project: string | null;
  readonly prompt: string | undefined;
}

export class NextSession extends Resource<PreviewReply, PreviewQuestion> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  /** Memories with a pending change. */
  readonly #changing = new Set<string>();
  /** How many hold it back. */
  #holds = 0;

  readonly project: string | null;

  constructor(project: string | null) {
    super();
    this.project = project;
    this.params = { project, prompt: undefined };
  }

  protected read(signal: AbortSignal, { project, prompt }: PreviewQuestion): Promise<PreviewReply> {
    return api.preview(project, prompt, signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    if (topic === "memory" || topic === "entity") return GATHER_MS;
    return topic === "harnesses" ? WORK_MS : undefined;
  }

  /** Preview what a prompt would add, once the user stops typing; an empty one adds nothing. */
  addPrompt(prompt: string): void {
    this.ask({ project: this.project, prompt: prompt.trim() === "" ? undefined : prompt }, TYPING_MS);
  }

  /** Keep the lines as they are, for one that is edited; returns a function that reads them again. */
  hold(): () => void {
    this.#holds += 1;
    this.stop();
    return () => {
      this.#holds -= 1;
      this.refresh(0);
    };
  }

  override refresh(ms: number): void {
    if (this.#holds === 0) super.refresh(ms);
  }

  override ask(params: PreviewQuestion, ms: number): void {
    if (this.#holds === 0) super.ask(params, ms);
    else this.params = params;
  }

  /** Take a memory out until the preview is read again; returns a function that puts it back. */
  remove(id: string): () => void {
    this.#change((preview) => withoutLine(preview, id));
    return () => {
      this.refresh(0);
    };
  }

  /** Show a text that was saved. */
  saved(id: string, content: string): void {
    this.#change((preview) => withChange(preview, id, { content }));
    this.refresh(0);
  }

  async pin({ memoryId: id, pinned }: PreviewLine): Promise<void> {
    if (this.#changing.has(id)) return;
    this.#changing.add(id);
    this.#change((preview) => withChange(preview, id, { pinned: !pinned }));
    const isChanged = await setPinned(id, !pinned);
    this.#changing.delete(id);
    if (!isChanged) this.#change((preview) => withChange(preview, id, { pinned }));
    this.refresh(0);
  }

  /** Forget a memory; false if it stays. */
  forget(id: string): Promise<boolean> {
    return this.#takeOut(id, forget);
  }

  /** Mark a memory as old, so that it is no longer told; false if it is. */
  retire(id: string): Promise<boolean> {
    return this.#takeOut(id, retire);
  }

  /** Note that a line is useful; `undone` is called if the user takes that back. */
  rateUseful(id: string, undone: () => void): Promise<boolean> {
    return rateUseful(id, RATED_AS, undone);
  }

  async #takeOut(id: string, how: TakeOut): Promise<boolean> {
    if (this.#changing.has(id)) return false;
    this.#changing.add(id);
    const isOut = await how(this, id, () => {
      this.refresh(0);
    });
    this.#changing.delete(id);
    if (isOut) this.refresh(0);
    return isOut;
  }

  #change(how: (preview: ContextPreview) => ContextPreview): void {
    if (this.value === undefined) return;
    const { start, prompt } = this.value;
    this.set({ ...this.value, start: how(start), prompt: prompt === null ? null : how(prompt) });
  }
}
