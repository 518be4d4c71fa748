/** The forgotten memories that can still be brought back, the latest first. */

import { api, type MemoryRow } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";
import { session } from "$lib/state/session.svelte";
import { toasts } from "$lib/state/toasts.svelte";

const PAGE = 100;
const GATHER_MS = 100;

export class Forgotten {
  rows = $state.raw<readonly MemoryRow[]>([]);
  phase = $state<"loading" | "ready" | "failed">("loading");
  error = $state.raw<ApiError>();
  #cursor = $state<string | null>(null);
  #work = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  get hasMore(): boolean {
    return this.#cursor !== null;
  }

  /** Read the list, and follow what changes until the returned function is called. */
  follow(): () => void {
    void this.load();
    const silence = session.onChange((change) => {
      this.hear(change);
    });
    return () => {
      silence();
      this.#work.abort();
      clearTimeout(this.#timer);
    };
  }

  async load(): Promise<void> {
    await this.#read(undefined);
  }

  async more(): Promise<void> {
    if (this.#cursor !== null) await this.#read(this.#cursor);
  }

  async #read(cursor: string | undefined): Promise<void> {
    this.#work.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      const page = await api.forgotten({ limit: PAGE, cursor }, work.signal);
      this.rows = cursor === undefined ? page.memories : [...this.rows, ...page.memories];
      this.#cursor = page.next_cursor;
      this.phase = "ready";
      this.error = undefined;
    } catch (thrown) {
      if (isAbort(thrown)) return;
      this.error = asApiError(thrown);
      this.phase = "failed";
    }
  }

  hear(change: Changed | "resync"): void {
    if (change !== "resync" && change.room !== "memory") return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.load(), GATHER_MS);
  }

  /** Take one off the list that is here no longer. */
  drop(id: string): void {
    this.rows = this.rows.filter((row) => row.id !== id);
  }

  async recover(row: MemoryRow): Promise<void> {
    try {
      await api.recover(row.id, "brought back in the dashboard");
      session.signedOut = false;
      this.drop(row.id);
      toasts.add("It is back.");
    } catch (thrown) {
      const error = asApiError(thrown);
      if (!error.isSignedOut) {
        toasts.add(`It could not be brought back: ${error.message}`, { tone: "danger", hint: error.hint });
      }
    }
  }
}
