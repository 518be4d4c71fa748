/** What the daemon finds for what is typed: the newest query wins. */

import { api, type FindReply } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export const TYPING_MS = 120;
/** The most of a kind. */
const SHOWN = 5;

/** `loadedParams` is the query of the present results; undefined before the first ones. */
export class Finder extends Resource<FindReply, string> {
  /** Search after a short delay; an empty query finds nothing, at once. */
  find(query: string): void {
    this.stop();
    const q = query.trim();
    if (q !== "") {
      this.ask(q, TYPING_MS);
      return;
    }
    this.params = q;
    this.set({ groups: [] });
  }

  /** Whether the results for a query are still to come. */
  isWaiting(query: string): boolean {
    return this.loadedParams !== query.trim() && this.error === undefined;
  }

  protected read(signal: AbortSignal, q: string): Promise<FindReply> {
    return api.find({ q, limit: SHOWN }, signal);
  }
}
