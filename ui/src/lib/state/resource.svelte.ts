/** Data that is read from the daemon and kept current: the one place that loads, aborts and retries. */

import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Deadline } from "./deadline";
import { connection } from "./connection.svelte";

export type Phase = "loading" | "ready" | "failed";
/** How a read ended: answered, refused, or given up for a newer one. */
export type Outcome = "ready" | "failed" | "aborted";

/**
 * A value of the daemon, read for what is asked (`Params`; nothing where there is one value only).
 *
 * A subclass says how it is read, and may say when: `delay` after a change, `interval` after a read.
 * A newer read aborts the one before, so that an older answer never replaces a newer one; a change
 * that is heard of during a read is read after it, so that many changes cannot starve it. When
 * reading the same again fails, the value stays and `error` says why.
 */
export abstract class Resource<Value, Params = undefined> {
  phase = $state<Phase>("loading");
  value = $state.raw<Value>();
  /** Why the newest read failed. */
  error = $state.raw<ApiError>();
  /** A newer answer is on its way. */
  isBusy = $state(false);
  /** What the next read asks for. */
  params = $state.raw<Params>();
  /** What `value` answers. */
  loadedParams = $state.raw<Params>();
  /** When the newest read began, by this machine's clock. */
  readAt = -Infinity;

  /** Two reads begin at least so many milliseconds apart, unless `load` is called. */
  protected readonly spacingMs: number = 0;
  /** How soon all is read again when the page may have missed changes. */
  protected readonly resyncMs: number = 0;
  /** Whether it rests while nobody can see the page. */
  protected readonly pausesHidden: boolean = false;

  #work = new AbortController();
  #reading: Params | undefined;
  #isStale = false;
  #followers = 0;
  #unfollow: (() => void) | undefined;
  readonly #deadline = new Deadline(() => { this.#onDue(); });

  protected abstract read(signal: AbortSignal, params: Params): Promise<Value>;

  /** In how many milliseconds a change has to be read; undefined where it does not matter here. */
  protected delay?(change: ChangeEvent): number | undefined;

  /** In how many milliseconds after a read to read again while it is followed; undefined for not. */
  protected interval?(): number | undefined;

  /** Called after each read that was not aborted. */
  protected settled?(outcome: Exclude<Outcome, "aborted">): void;

  /** Aborts as soon as a newer read begins, or this one is stopped. */
  protected get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** Read it now and keep it current; returns what ends that. With the last follower all work ends. */
  subscribe(): () => void {
    this.#followers += 1;
    this.#unfollow ??= this.#listen();
    if (!this.#isPaused) void this.load();
    let isFollowing = true;
    return () => {
      if (!isFollowing) return;
      isFollowing = false;
      this.#followers -= 1;
      if (this.#followers > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
      this.stop();
    };
  }

  #listen(): () => void {
    const unsubscribe = connection.onChange((change) => { this.handleChange(change); });
    const onVisibility = (): void => {
      if (this.#isPaused) this.stop();
      else this.refresh(0);
    };
    if (this.pausesHidden) document.addEventListener("visibilitychange", onVisibility);
    return () => {
      unsubscribe();
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }

  get #isPaused(): boolean {
    return this.pausesHidden && document.hidden;
  }

  handleChange(change: ChangeEvent | "resync"): void {
    const wait = change === "resync" ? this.resyncMs : this.delay?.(change);
    if (wait !== undefined && !this.#isPaused) this.refresh(wait);
  }

  /** Read it now; a read that is under way is given up. */
  async load(params = this.params as Params): Promise<Outcome> {
    this.stop();
    const work = new AbortController();
    this.#work = work;
    this.#reading = params;
    this.params = params;
    this.isBusy = true;
    this.readAt = Date.now();
    const outcome = await this.#fetch(work.signal, params);
    if (work.signal.aborted) return outcome;
    this.isBusy = false;
    this.#scheduleNext();
    return outcome;
  }

  async #fetch(signal: AbortSignal, params: Params): Promise<Outcome> {
    try {
      const value = await this.read(signal, params);
      if (signal.aborted) return "aborted";
      this.#store(value, params);
      this.settled?.("ready");
      return "ready";
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return "aborted";
      this.error = asApiError(thrown);
      // What was read before is better than nothing, as long as it answers the same.
      if (this.phase !== "ready" || this.loadedParams !== params) this.phase = "failed";
      this.settled?.("failed");
      return "failed";
    }
  }

  #store(value: Value, params: Params): void {
    this.value = value;
    this.loadedParams = params;
    this.error = undefined;
    this.phase = "ready";
  }

  /** What was heard of meanwhile comes next, or else the next of the regular reads. */
  #scheduleNext(): void {
    if (this.#isStale) {
      this.#isStale = false;
      this.refresh(0);
      return;
    }
    // A daemon that is lost tells of its return, and then all is read again.
    const isLost = this.error?.code === "unreachable" && connection.link !== "live";
    const wait = this.#followers > 0 && !isLost ? this.interval?.() : undefined;
    if (wait !== undefined) this.refresh(wait);
  }

  /** Read it from the start: it is `loading` until there is an answer. */
  async reload(params = this.params as Params): Promise<Outcome> {
    this.phase = "loading";
    return this.load(params);
  }

  /** Ask for something else, so many milliseconds after it was last changed. */
  ask(params: Params, ms: number): void {
    this.params = params;
    this.#deadline.restart(ms);
  }

  /** Read it again within so many milliseconds. */
  refresh(ms: number): void {
    const wait = Math.max(ms, this.readAt + this.spacingMs - Date.now());
    if (wait > 0) this.#deadline.within(wait);
    else this.#onDue();
  }

  #onDue(): void {
    if (this.isBusy && this.#reading === this.params) this.#isStale = true;
    else void this.load();
  }

  /** Put in what the daemon just answered; a read that is under way is older and begins anew. */
  set(value: Value): void {
    const wasBusy = this.isBusy;
    this.stop();
    this.#store(value, this.params as Params);
    this.#isStale = wasBusy;
    this.#scheduleNext();
  }

  /** End what is under way and what is planned; the value stays. */
  stop(): void {
    this.#deadline.stop();
    this.#work.abort();
    this.#isStale = false;
    this.isBusy = false;
  }

  /** Stop, and forget what was read. */
  clear(): void {
    this.stop();
    this.value = undefined;
    this.loadedParams = undefined;
    this.error = undefined;
    this.phase = "loading";
  }
}
