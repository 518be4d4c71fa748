/** What capture would make of the text that is typed. */

import { firstRunApi, type CaptureTrial } from "$lib/api/first-run";
import { Resource } from "$lib/state/resource.svelte";

const TYPING_MS = 300;

export class TriedText extends Resource<CaptureTrial, string> {
  /** What was found for the text as it is now; undefined while it is judged or there is none. */
  readonly found = $derived.by(() => (this.loadedParams === this.params && this.params !== "" ? this.value : undefined));

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
