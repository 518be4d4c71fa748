/** What a move or a merge of a project would take along, as its target is typed. */

import { api, type ProjectChangeReply } from "$lib/api/client";
import type { ApiError } from "$lib/api/errors";
import { Resource } from "$lib/state/resource.svelte";

const TYPING_MS = 250;

export class TransferPreview extends Resource<ProjectChangeReply, string> {
  readonly #kind: "move" | "merge";
  readonly #project: string;

  constructor(kind: "move" | "merge", project: string) {
    super();
    this.#kind = kind;
    this.#project = project;
  }

  protected read(signal: AbortSignal, target: string): Promise<ProjectChangeReply> {
    return api.changeProject({ kind: this.#kind, project: this.#project, target, preview: true }, signal);
  }

  /** Read it for this target soon. */
  look(target: string): void {
    if (target !== "") this.ask(target, TYPING_MS);
  }

  /** What the target is known to receive; undefined for another one, or if it was refused. */
  of(target: string): ProjectChangeReply | undefined {
    return target !== "" && this.loadedParams === target && this.error === undefined ? this.value : undefined;
  }

  /** Why the target was refused. */
  refusalOf(target: string): ApiError | undefined {
    return target !== "" && this.params === target && !this.isBusy ? this.error : undefined;
  }
}
