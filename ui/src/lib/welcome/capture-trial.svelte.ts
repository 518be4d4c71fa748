/** What capture would make of the text that is typed. */

import { firstRunApi, type CaptureTrial } from "$lib/api/first-run";
import { Resource } from "$lib/state/resource.svelte";

const TYPING_MS = 300;

export class TriedText extends Resource<CaptureTrial, string> {
  /** What was found for the text, until the next is judged for the text before; undefined for none. */
  readonly found = $derived(this.params === "" ? undefined : this.value);
  /** `found` is of a text that has been changed since. */
  readonly isOutdated = $derived(this.loadedParams !== this.params);

  constructor() {
    super();
    this.params = "";
  }

  /** Judge a text once the user stops typing. */
  type(text: string): void {
    this.ask(text.trim(), TYPING_MS);
  }

  protected async read(signal: AbortSignal, text: string): Promise<CaptureTrial> {
    return text === "" ? { statements: [], told: "" } : firstRunApi.tryText(text, signal);
  }
}
