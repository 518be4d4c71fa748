/** The workspace's repository and how it is kept, read together, and what can be done with it. */

import type { ChangeEvent } from "$lib/api/event-stream";
import { gitApi, type GitConfig, type GitConfigChange, type GitOutcome, type GitStatus } from "$lib/api/git";
import { reportFailure } from "$lib/memory/memory-actions";
import { Resource } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";

const GATHER_MS = 300;
const TOPICS: ReadonlySet<string> = new Set(["workspace", "settings"]);

export type GitWork = "pull" | "push" | "sync";

export interface Repository {
  readonly status: GitStatus;
  readonly config: GitConfig;
}

export class GitRepository extends Resource<Repository> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  /** What is being done. */
  work = $state<GitWork>();

  protected async read(signal: AbortSignal): Promise<Repository> {
    const [status, config] = await Promise.all([gitApi.status(signal), gitApi.config(signal)]);
    return { status, config };
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return TOPICS.has(topic) ? GATHER_MS : undefined;
  }

  /** Pull, push or both; what came of it is told as a toast. */
  async carryOut(work: GitWork): Promise<void> {
    if (this.work !== undefined) return;
    this.work = work;
    try {
      this.#tell(await gitApi[work](), work);
    } catch (thrown) {
      reportFailure(`Couldn't ${work}`, thrown);
    } finally {
      this.work = undefined;
      void this.load();
    }
  }

  /** Change how the repository is kept. Resolves to whether that was accepted. */
  async configure(change: GitConfigChange): Promise<boolean> {
    try {
      const config = await gitApi.configure(change);
      if (this.value !== undefined) this.set({ ...this.value, config });
      void this.load();
      return true;
    } catch (thrown) {
      reportFailure("Couldn't change the setting", thrown);
      return false;
    }
  }

  #tell({ success, message }: GitOutcome, work: GitWork): void {
    if (success) toasts.add(message);
    else toasts.add(`Couldn't ${work}: ${message}`, { tone: "danger" });
  }
}
