/** The connection to the daemon: link state, daemon state, sign-in. */

import { api, onRefusal, type Health } from "$lib/api/client";
import type { ApiError } from "$lib/api/errors";
import { EventStream, type ChangeEvent, type LinkState } from "$lib/api/event-stream";
import { requestTiming } from "$lib/api/request-timing";

type State = Health["state"];
type ChangeListener = (change: ChangeEvent | "resync") => void;

/** Hidden pages close their connection after this time: browsers allow only a few. */
const HIDDEN_MS = 60_000;

class Connection {
  link = $state<LinkState>("connecting");
  state = $state<State>("ready");
  reason = $state("");
  /** Why the database is read-only, for programs; empty until it is known. */
  cause = $state("");
  /** This browser has no session: only the sign-in page may be shown. */
  signedOut = $state(false);
  /** The command that opens the dashboard signed in. */
  signInCommand = $state("intaglio dashboard");
  version = $state("");
  /** A response takes long. */
  isSlow = $state(false);
  /** How often the connection came back after it was lost. */
  returns = $state(0);
  /** Something was read since the page was loaded, so there is a page to return to. */
  #hasLoaded = false;
  readonly #listeners = new Set<ChangeListener>();
  readonly #live = new EventStream({
    link: (link) => {
      if (link === "live" && this.link === "lost") this.returns += 1;
      this.link = link;
    },
    changed: (change) => {
      this.#notify(change);
    },
    state: (state, reason) => {
      if (this.#setState(state, reason)) this.#notify("resync");
      // The event doesn't say why.
      if (state === "degraded") void this.#probe();
    },
    resync: () => {
      this.#notify("resync");
    },
    probe: () => this.#probe(),
  });

  /** Connect; returns a function that disconnects. */
  start(): () => void {
    let hidden: ReturnType<typeof setTimeout> | undefined;
    const seen = (): void => {
      clearTimeout(hidden);
      if (document.hidden)
        hidden = setTimeout(() => {
          this.#live.stop();
        }, HIDDEN_MS);
      else if (!this.signedOut) this.#live.start();
    };
    const silence = onRefusal((error) => {
      if (error.isSignedOut) this.#signOut(error);
    });
    const rest = requestTiming.onChange((isSlow) => (this.isSlow = isSlow));
    document.addEventListener("visibilitychange", seen);
    this.#live.start();
    return () => {
      clearTimeout(hidden);
      rest();
      silence();
      document.removeEventListener("visibilitychange", seen);
      this.#live.stop();
    };
  }

  retry(): void {
    this.#live.retry();
  }

  /** Return to the page after signing in; what was typed is still there. */
  resume(): void {
    if (!this.#hasLoaded) {
      location.reload();
      return;
    }
    this.signedOut = false;
    this.#live.start();
  }

  #signOut(error: ApiError): void {
    this.signInCommand = /`([^`]+)`/.exec(error.hint)?.[1] ?? this.signInCommand;
    this.signedOut = true;
    this.#live.stop();
    // Links sign in at this address, and cookies belong to one host.
    const { hostname, port, pathname, search } = location;
    if (hostname === "localhost" && import.meta.env.PROD) location.replace(`http://127.0.0.1:${port}${pathname}${search}`);
  }

  /** Listen for changes; returns a function that stops. */
  onChange(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Let all that is shown hear of a change that this page made, without waiting for the daemon's word. */
  announce(change: ChangeEvent): void {
    this.#notify(change);
  }

  #notify(what: ChangeEvent | "resync"): void {
    for (const listener of this.#listeners) listener(what);
  }

  /** Update the daemon's state; true if it changed. */
  #setState(state: string, reason: string): boolean {
    if (state !== "ready" && state !== "checking" && state !== "degraded") return false;
    const isNews = state !== this.state;
    this.state = state;
    this.reason = reason;
    return isNews;
  }

  async #probe(): Promise<boolean> {
    try {
      const health = await api.health(AbortSignal.timeout(4_000));
      this.#setState(health.state, health.reason);
      this.cause = health.cause ?? "";
      this.version = health.version;
      this.#hasLoaded = true;
      return true;
    } catch {
      // Any failure counts as a lost connection.
      return false;
    }
  }
}

export const connection = new Connection();

/**
 * Load code once the page is idle, so that it's there when it's needed; returns a function that
 * cancels it. Nothing is requested while the daemon is gone: its port may belong to a stranger by then.
 */
export function preloadWhenIdle(loads: readonly (() => Promise<unknown>)[], idleMs: number): () => void {
  const timer = setTimeout(() => {
    if (connection.link === "lost") return;
    // It is loaded again when it's needed; a failure is reported then.
    for (const load of loads) load().catch(() => undefined);
  }, idleMs);
  return () => {
    clearTimeout(timer);
  };
}
