/** The agents that share the memory, as the daemon knows them; read anew when they change. */

import { api, type AgentRow } from "$lib/api/client";
import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";

import { session } from "./session.svelte";
import { Soon } from "./soon";

export const DEFAULT_AGENT = "default";
const GATHER_MS = 100;
/** Memories come in bursts, and their counts may lag a little. */
const COUNTS_MS = 1_000;

export class Agents {
  known = $state.raw<readonly AgentRow[]>([]);
  phase = $state<"loading" | "ready" | "failed">("loading");
  error = $state.raw<ApiError>();
  #work = new AbortController();
  readonly #soon = new Soon(() => void this.load());
  #followers = 0;

  /** Read the agents now and whenever they change; returns what stops it. */
  follow(): () => void {
    this.#followers += 1;
    const silence = session.onChange((change) => {
      this.hear(change);
    });
    void this.load();
    return () => {
      silence();
      this.#followers -= 1;
      if (this.#followers > 0) return;
      this.#soon.stop();
    };
  }

  hear(change: Changed | "resync"): void {
    if (change === "resync" || change.room === "agents") this.#soon.in(GATHER_MS);
    else if (change.room === "memory" && change.what !== "updated") this.#soon.in(COUNTS_MS);
  }

  async load(): Promise<void> {
    this.#work.abort();
    const work = new AbortController();
    this.#work = work;
    try {
      this.known = await api.agents(work.signal);
      this.phase = "ready";
      this.error = undefined;
    } catch (thrown) {
      if (isAbort(thrown)) return;
      this.error = asApiError(thrown);
      // What was read before is better than nothing.
      if (this.known.length === 0) this.phase = "failed";
    }
  }

  async retry(): Promise<void> {
    this.phase = "loading";
    await this.load();
  }

  /** Put in what the daemon just answered, without waiting for its word. */
  take(agent: AgentRow): void {
    const others = this.known.filter((one) => one.id !== agent.id);
    this.known = [...others, agent].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  nameOf(id: string): string {
    return this.known.find((agent) => agent.id === id)?.name ?? id;
  }
}

export const agents = new Agents();
