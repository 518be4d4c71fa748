/** The questions by which searches find a memory, too. */

import { api, type MemoryQuestions } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

const NONE: MemoryQuestions = { questions: [], model: null };

export class AnsweredQuestions extends Resource<MemoryQuestions, string | undefined> {
  readonly all = $derived(this.value?.questions ?? []);
  readonly model = $derived(this.value?.model ?? undefined);

  protected read(signal: AbortSignal, id: string | undefined): Promise<MemoryQuestions> {
    return id === undefined ? Promise.resolve(NONE) : api.memoryQuestions(id, signal);
  }

  override handleChange(): void {
    // The memory is read again when it changes, and its questions with it.
  }
}
