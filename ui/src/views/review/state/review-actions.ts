/** Forgetting and keeping memories of the review, each with Undo. */

import { api, type CaptureReviewRow, type Versions } from "$lib/api/client";
import { reportFailure } from "$lib/memory/memory-actions";
import { plural } from "$lib/plural";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

import type { ReviewPage } from "./review-page.svelte";

/** By this the daemon knows what was forgotten in the review. */
export const FORGET_REASON = "forgotten in the review of capture";
/** The most that one request takes. */
const CHUNK = 200;

const memories = (count: number): string => plural(count, "memory", "memories");

interface Result {
  readonly id: string;
  readonly status: string;
  readonly newVersion?: number | null | undefined;
}

/** Send memories in requests of the largest size; returns the new versions of those that changed. */
export async function inChunks(
  versions: Versions,
  success: string,
  send: (chunk: Versions) => Promise<readonly Result[]>,
): Promise<Map<string, number | undefined>> {
  const done = new Map<string, number | undefined>();
  const all = [...versions];
  for (let from = 0; from < all.length; from += CHUNK) {
    for (const { id, status, newVersion } of await send(new Map(all.slice(from, from + CHUNK)))) {
      if (status === success) done.set(id, newVersion ?? undefined);
    }
  }
  return done;
}

type Page = Pick<ReviewPage, "items" | "targets" | "isWorking" | "deselect" | "moveOn" | "active">;

export class ReviewActions {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  forgetTargets(): Promise<void> {
    return this.#forget(() => Promise.resolve(this.#page.targets));
  }

  /** Forget all that the review lists, also those that aren't loaded yet. */
  forgetAll(): Promise<void> {
    return this.#forget(() => this.#page.items.all());
  }

  async #forget(find: () => Promise<readonly CaptureReviewRow[]>): Promise<void> {
    await this.#work("Couldn't forget all memories", async () => {
      const rows = await find();
      if (rows.length === 0) return;
      const versions = new Map(rows.map(({ id, version }) => [id, version]));
      const done = await inChunks(versions, "deleted", (chunk) => api.forgetMany(chunk, FORGET_REASON));
      const left = rows.length - done.size;
      this.#remove([...done.keys()]);
      const hint = left === 0 ? "" : `${memories(left)} changed in the meantime.`;
      if (done.size === 0) toasts.add("Nothing was forgotten.", { tone: "danger", hint });
      else offerUndo({ text: `Forgot ${memories(done.size)}.`, hint, undo: () => this.#restore(done) });
      if (left > 0) await this.#page.items.load();
    });
  }

  async #restore(versions: Versions): Promise<void> {
    const done = await inChunks(versions, "recovered", (chunk) => api.recoverMany(chunk, "undone in the dashboard"));
    if (done.size < versions.size) {
      toasts.add(`${memories(versions.size - done.size)} couldn't be restored.`, { tone: "danger" });
    }
    await this.#show(versions.keys());
  }

  /** Keep memories: they aren't listed again. */
  async keepTargets(): Promise<void> {
    await this.#work("Couldn't keep the memories", async () => {
      const ids = this.#page.targets.map(({ id }) => id);
      if (ids.length === 0) return;
      await api.keepReviewed(ids, true);
      this.#remove(ids);
      offerUndo({ text: `Kept ${memories(ids.length)}.`, undo: () => this.#listAgain(ids) });
    });
  }

  async #listAgain(ids: readonly string[]): Promise<void> {
    await api.keepReviewed(ids, false);
    await this.#show(ids);
  }

  #remove(ids: readonly string[]): void {
    this.#page.items.remove(ids);
    this.#page.deselect(ids);
    this.#page.moveOn();
  }

  /** Show memories that are listed again; the first one is the current one. */
  async #show(ids: Iterable<string>): Promise<void> {
    await this.#page.items.load();
    const [first] = ids;
    if (!this.#page.items.rows.some(({ id }) => id === first)) return;
    this.#page.active = first;
    this.#page.moveOn();
  }

  async #work(failure: string, task: () => Promise<void>): Promise<void> {
    if (this.#page.isWorking) return;
    this.#page.isWorking = true;
    try {
      await task();
    } catch (thrown) {
      reportFailure(failure, thrown);
      await this.#page.items.load();
    } finally {
      this.#page.isWorking = false;
    }
  }
}
