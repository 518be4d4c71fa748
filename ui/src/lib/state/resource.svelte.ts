/** Data that is read from the daemon and kept current: the one place that loads, aborts and retries. */

import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { Changed } from "$lib/api/live";

import { Deadline } from "./deadline";
import { session } from "./session.svelte";

export type Phase = "loading" | "ready" | "failed";
/** How a read ended: answered, refused, or given up for a newer one. */
export type Outcome = "ready" | "failed" | "aborted";

/**
 * A value of the daemon, read for what is asked (`Asked`; nothing where there is one value only).
 *
 * A subclass says how it is read, and may say when: `delay` after a change, `interval` after a read.
 * A newer read aborts the one before, so that an older answer never replaces a newer one; a change
 * that is heard of during a read is read after it, so that many changes cannot starve it. When
 * reading the same again fails, the value stays and `error` says why.
 */
export abstract class Resource<Value, Asked = undefined> {
  phase = $state<Phase>("loading");
  value = $state.raw<Value>();
  /** Why the newest read failed. */
  error = $state.raw<ApiError>();
  /** A newer answer is on its way. */
  isBusy = $state(false);
  /** What the next read asks for. */
  asked = $state.raw<Asked>();
  /** What `value` answers. */
  answered = $state.raw<Asked>();
  /** When the newest read began, by this machine's clock. */
  readAt = -Infinity;

  /** Two reads begin at least so many milliseconds apart, unless `load` is called. */
  protected readonly spacingMs: number = 0;
  /** How soon all is read again when the page may have missed changes. */
  protected readonly resyncMs: number = 0;
  /** Whether it rests while nobody can see the page. */
  protected readonly restsHidden: boolean = false;

  #work = new AbortController();
  #reads: Asked | undefined;
  #isStale = false;
  #followers = 0;
  #unfollow: (() => void) | undefined;
  readonly #deadline = new Deadline(() => { this.#due(); });

  protected abstract read(signal: AbortSignal, asked: Asked): Promise<Value>;

  /** In how many milliseconds a change has to be read; undefined where it does not matter here. */
  protected delay?(change: Changed): number | undefined;

  /** In how many milliseconds after a read to read again while it is followed; undefined for not. */
  protected interval?(): number | undefined;

  /** Called after each read that was not aborted. */
  protected settled?(outcome: Exclude<Outcome, "aborted">): void;

  /** Aborts as soon as a newer read begins, or this one is stopped. */
  protected get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** Read it now and keep it current; returns what ends that. With the last follower all work ends. */
  follow(): () => void {
    this.#followers += 1;
    this.#unfollow ??= this.#listen();
    if (!this.#isResting) void this.load();
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
    const silence = session.onChange((change) => { this.hear(change); });
    const look = (): void => {
      if (this.#isResting) this.stop();
      else this.refresh(0);
    };
    if (this.restsHidden) document.addEventListener("visibilitychange", look);
    return () => {
      silence();
      document.removeEventListener("visibilitychange", look);
    };
  }

  get #isResting(): boolean {
    return this.restsHidden && document.hidden;
  }

  hear(change: Changed | "resync"): void {
    const wait = change === "resync" ? this.resyncMs : this.delay?.(change);
    if (wait !== undefined && !this.#isResting) this.refresh(wait);
  }

  /** Read it now; a read that is under way is given up. */
  async load(asked = this.asked as Asked): Promise<Outcome> {
    this.stop();
    const work = new AbortController();
    this.#work = work;
    this.#reads = asked;
    this.asked = asked;
    this.isBusy = true;
    this.readAt = Date.now();
    const outcome = await this.#answer(work.signal, asked);
    if (work.signal.aborted) return outcome;
    this.isBusy = false;
    this.#goOn();
    return outcome;
  }

  async #answer(signal: AbortSignal, asked: Asked): Promise<Outcome> {
    try {
      const value = await this.read(signal, asked);
      if (signal.aborted) return "aborted";
      this.#take(value, asked);
      this.settled?.("ready");
      return "ready";
    } catch (thrown) {
      if (signal.aborted || isAbort(thrown)) return "aborted";
      this.error = asApiError(thrown);
      // What was read before is better than nothing, as long as it answers the same.
      if (this.phase !== "ready" || this.answered !== asked) this.phase = "failed";
      this.settled?.("failed");
      return "failed";
    }
  }

  #take(value: Value, asked: Asked): void {
    this.value = value;
    this.answered = asked;
    this.error = undefined;
    this.phase = "ready";
  }

  /** What was heard of meanwhile comes next, or else the next of the regular reads. */
  #goOn(): void {
    if (this.#isStale) {
      this.#isStale = false;
      this.refresh(0);
      return;
    }
    // A daemon that is lost tells of its return, and then all is read again.
    const isLost = this.error?.code === "unreachable" && session.link !== "live";
    const wait = this.#followers > 0 && !isLost ? this.interval?.() : undefined;
    if (wait !== undefined) this.refresh(wait);
  }

  /** Read it from the start: it is `loading` until there is an answer. */
  async reload(asked = this.asked as Asked): Promise<Outcome> {
    this.phase = "loading";
    return this.load(asked);
  }

  /** Ask for something else, so many milliseconds after it was last changed. */
  ask(asked: Asked, ms: number): void {
    this.asked = asked;
    this.#deadline.restart(ms);
  }

  /** Read it again within so many milliseconds. */
  refresh(ms: number): void {
    const wait = Math.max(ms, this.readAt + this.spacingMs - Date.now());
    if (wait > 0) this.#deadline.within(wait);
    else this.#due();
  }

  #due(): void {
    if (this.isBusy && this.#reads === this.asked) this.#isStale = true;
    else void this.load();
  }

  /** Put in what the daemon just answered; a read that is under way is older and begins anew. */
  set(value: Value): void {
    const wasBusy = this.isBusy;
    this.stop();
    this.#take(value, this.asked as Asked);
    this.#isStale = wasBusy;
    this.#goOn();
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
    this.answered = undefined;
    this.error = undefined;
    this.phase = "loading";
  }
}
