/** Data loaded from the daemon and kept current: the only place that loads, aborts and retries. */

import { untrack } from "svelte";

import { asApiError, isAbort, type ApiError } from "$lib/api/errors";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Deadline } from "./deadline";
import { connection } from "./connection.svelte";

export type Phase = "loading" | "ready" | "failed";
/** How a read ended; `aborted`: superseded by a newer one. */
export type Outcome = "ready" | "failed" | "aborted";

/**
 * A value loaded from the daemon for given `Params` (none if there is only one value).
 *
 * A subclass defines how to read it and may define when: `delay` after a change, `interval` after a
 * read. A newer read aborts the previous one, so an older response never replaces a newer one. A
 * change during a read triggers another read afterwards, so frequent changes can't starve it. If a
 * reload fails, the value stays and `error` is set.
 */
export abstract class Resource<Value, Params = undefined> {
  phase = $state<Phase>("loading");
  value = $state.raw<Value>();
  /** The error of the newest read. */
  error = $state.raw<ApiError>();
  /** A read is pending. */
  isBusy = $state(false);
  /** The parameters of the next read. */
  params = $state.raw<Params>();
  /** The parameters of `value`. */
  loadedParams = $state.raw<Params>();
  /** When the newest read started, by the local clock. */
  readAt = -Infinity;

  /** The minimum time between two reads, unless `load` is called. */
  protected readonly spacingMs: number = 0;
  /** The delay before reloading when the page may have missed changes. */
  protected readonly resyncMs: number = 0;
  /** Whether to pause while the page is hidden. */
  protected readonly pausesHidden: boolean = false;

  #work = new AbortController();
  #reading: Params | undefined;
  #isStale = false;
  #subscribers = 0;
  #unsubscribe: (() => void) | undefined;
  readonly #deadline = new Deadline(() => {
    this.#onDue();
  });

  protected abstract read(signal: AbortSignal, params: Params): Promise<Value>;

  /** The delay before reloading after a change; undefined if the change is irrelevant. */
  protected delay?(change: ChangeEvent): number | undefined;

  /** The polling interval while subscribed; undefined for no polling. */
  protected interval?(): number | undefined;

  /** Called after each read that wasn't aborted. */
  protected settled?(outcome: Exclude<Outcome, "aborted">): void;

  /** Aborts when a newer read starts or this one is stopped. */
  protected get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** Load it, unless a read is pending, and keep it current; returns a function that ends that. All work stops with the last subscriber. */
  subscribe(): () => void {
    this.#subscribers += 1;
    this.#unsubscribe ??= this.#listen();
    const isPending = untrack(() => this.isBusy && this.#reading === this.params);
    if (!this.#isPaused && !isPending) void this.load();
    let isSubscribed = true;
    return () => {
      if (!isSubscribed) return;
      isSubscribed = false;
      this.#subscribers -= 1;
      if (this.#subscribers > 0) return;
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
      this.stop();
    };
  }

  #listen(): () => void {
    const unsubscribe = connection.onChange((change) => {
      this.handleChange(change);
    });
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

  /** Read it now, aborting a pending read. */
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
      // Keep the former value if it is for the same parameters.
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

  /** Schedule the next read: for changes during this one, else the next poll. */
  #scheduleNext(): void {
    if (this.#isStale) {
      this.#isStale = false;
      this.refresh(0);
      return;
    }
    // After a lost connection or a sign-in, the reconnect triggers a reload.
    const isLost = connection.signedOut || (this.error?.code === "unreachable" && connection.link !== "live");
    const wait = this.#subscribers > 0 && !isLost ? this.interval?.() : undefined;
    if (wait !== undefined) this.refresh(wait);
  }

  /** Load from scratch, in phase `loading` until the response arrives. */
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

  /** Take over a value from a response; a pending read is outdated and starts again. */
  set(value: Value): void {
    const wasBusy = this.isBusy;
    this.stop();
    this.#store(value, this.params as Params);
    this.#isStale = wasBusy;
    this.#scheduleNext();
  }

  /** Abort pending and planned reads; the value stays. */
  stop(): void {
    this.#deadline.stop();
    this.#work.abort();
    this.#isStale = false;
    this.isBusy = false;
  }

  /** Stop and clear the value. */
  clear(): void {
    this.stop();
    this.value = undefined;
    this.loadedParams = undefined;
    this.error = undefined;
    this.phase = "loading";
  }
}
