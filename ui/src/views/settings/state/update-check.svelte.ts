/** What is known of updates, asking for a newer one, and running the package manager's command. */

import { asApiError, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";
import { updateCalls, type UpdateCheck, type UpdateRun } from "$lib/api/updates";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 300;

export class UpdateCheckResource extends Resource<UpdateCheck> {
  protected override readonly pausesHidden = true;

  /** What the user is waiting for. */
  working = $state<"check" | "run">();
  /** Why the last request failed. */
  refusal = $state.raw<ApiError>();
  /** What running the command led to. */
  outcome = $state.raw<UpdateRun>();

  protected async read(signal: AbortSignal): Promise<UpdateCheck> {
    return updateCalls.known(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "updates" || topic === "settings" ? GATHER_MS : undefined;
  }

  protected override settled(outcome: "ready" | "failed"): void {
    // The daemon is back, or the command takes longer than a request waits: its end is announced.
    if (outcome === "ready" && this.refusal?.code === "unreachable") this.refusal = undefined;
  }

  /** The state in a sentence. */
  get line(): string {
    const { value } = this;
    if (value === undefined) return "";
    if (value.pendingVersion !== null) return `Version ${value.pendingVersion} is installed. Restart Intaglio to use it.`;
    if (value.updateAvailable) return `Version ${value.latestVersion ?? ""} is available.`;
    if (value.obstacle !== "") return value.obstacle;
    if (value.checkError !== null) return `The last check failed. ${value.checkError}`;
    return value.checkedAt === null ? "Intaglio hasn’t looked for a newer version yet." : "No newer version was found.";
  }

  async check(): Promise<void> {
    await this.#work("check", async () => {
      this.outcome = undefined;
      this.set(await updateCalls.check());
    });
  }

  async run(): Promise<void> {
    await this.#work("run", async () => {
      this.outcome = await updateCalls.run();
    });
    await this.load();
  }

  async #work(what: "check" | "run", work: () => Promise<void>): Promise<void> {
    this.working = what;
    this.refusal = undefined;
    try {
      await work();
    } catch (thrown) {
      this.refusal = asApiError(thrown);
    } finally {
      this.working = undefined;
    }
  }
}
