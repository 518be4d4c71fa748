/** What was read of a project's commits, kept current. */

import { api, type CommitReading } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { reportFailure } from "$lib/memory/memory-actions";
import { plural } from "$lib/plural";
import { Resource } from "$lib/state/resource.svelte";
import { toasts } from "$lib/state/toasts.svelte";

const GATHER_MS = 500;
const READING_MS = 1_500;

export class ProjectCommits extends Resource<CommitReading, string> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;
  /** A change is being carried out. */
  isWorking = $state(false);

  constructor(project: string) {
    super();
    this.params = project;
  }

  protected read(signal: AbortSignal, project: string): Promise<CommitReading> {
    return api.commitReading(project, signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "commits" || topic === "projects" || topic === "settings" ? GATHER_MS : undefined;
  }

  /** While they are read, their number grows. */
  protected override interval(): number | undefined {
    return this.value?.reading === true ? READING_MS : undefined;
  }

  async readNow(): Promise<void> {
    const before = this.value?.commits ?? 0;
    await this.#work("Couldn't read the commits", async () => {
      const now = await api.readCommits(this.params ?? "");
      const added = now.commits - before;
      if (!now.reading && now.stopped === "") toasts.add(added > 0 ? `Read ${plural(added, "new commit")}.` : "No new commits.");
      return now;
    });
  }

  async #work(failure: string, change: () => Promise<CommitReading>): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    try {
      this.set(await change());
    } catch (thrown) {
      reportFailure(failure, thrown);
      await this.load();
    } finally {
      this.isWorking = false;
    }
  }
}

/** How many commits were read, in words, or why none were; why not all were is said apart. */
export function readingText({ enabled, commits, forgotten, readAt, reading, stopped }: CommitReading): string {
  if (!enabled) return "The commits of this project aren't read.";
  if (reading) return `Reading the log: ${plural(commits, "commit")} with a body so far`;
  if (readAt === null) return "Not read yet: it is read after a session starts in this project.";
  if (commits === 0 && stopped !== "") return `Nothing was read: ${stopped}.`;
  const gone = forgotten === 0 ? "" : `, ${forgotten.toLocaleString()} forgotten`;
  return commits === 0 ? `No commit has more than a subject${gone}.` : `${plural(commits, "commit")} with a body${gone}`;
}
