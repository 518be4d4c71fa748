/** The daemon's event stream (SSE): reconnects with back-off and reports the state of the connection. */

export interface ChangeEvent {
  readonly topic: string;
  readonly what: "added" | "updated" | "deleted" | "recovered";
  readonly ids: readonly string[];
}

/** `lost`: no response at all. `paused`: the daemon responds, but its event stream doesn't. */
export type LinkState = "connecting" | "live" | "paused" | "lost";

export interface EventHandlers {
  link(link: LinkState): void;
  changed(change: ChangeEvent): void;
  state(state: string, reason: string): void;
  /** The page may have missed changes: reload its data. */
  resync(): void;
  /** Check the daemon's health; false if it doesn't respond. */
  probe(): Promise<boolean>;
}

export interface EventStreamOptions {
  open?: (url: string) => EventSource;
  random?: () => number;
}

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** The delay before the nth attempt (from 0): doubles up to 15 s, minus up to 25% jitter. */
export function backoffMs(attempt: number, random: () => number): number {
  const base = Math.min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** Math.min(attempt, 10));
  return Math.round(base * (1 - random() / 4));
}

function parsed(data: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export class EventStream {
  readonly #on: EventHandlers;
  readonly #open: (url: string) => EventSource;
  readonly #random: () => number;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempt = 0;
  #stopped = true;
  /** Incremented at each start, so that responses to an earlier one are ignored. */
  #run = 0;

  constructor(on: EventHandlers, options: EventStreamOptions = {}) {
    this.#on = on;
    this.#open = options.open ?? ((url) => new EventSource(url));
    this.#random = options.random ?? Math.random;
  }

  start(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#run += 1;
    this.#attempt = 0;
    this.#on.link("connecting");
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
  }

  /** Reconnect now. */
  retry(): void {
    this.stop();
    this.start();
  }

  async #connect(): Promise<void> {
    const run = this.#run;
    const answers = await this.#on.probe();
    if (this.#stopped || run !== this.#run) return;
    if (!answers) {
      this.#again("lost");
      return;
    }
    const source = this.#open("/api/events");
    this.#source = source;
    source.addEventListener("open", () => {
      this.#attempt = 0;
      this.#on.link("live");
      // On the first connection too: data may have changed while the page loaded.
      this.#on.resync();
    });
    source.addEventListener("error", () => {
      source.close();
      if (this.#source === source) this.#again("paused");
    });
    source.addEventListener("changed", (event) => {
      const { topic, what, ids } = parsed(event.data);
      if (Array.isArray(ids)) {
        const change = { topic, what, ids: ids.filter((id) => typeof id === "string") };
        this.#on.changed(change as unknown as ChangeEvent);
      }
    });
    source.addEventListener("state", (event) => {
      const { state, reason, capture } = parsed(event.data);
      if (capture !== undefined) this.#on.changed({ topic: "capture", what: "updated", ids: [] });
      if (typeof state === "string") {
        this.#on.state(state, typeof reason === "string" ? reason : "");
      }
    });
    source.addEventListener("settings", () => {
      this.#on.changed({ topic: "settings", what: "updated", ids: [] });
    });
    source.addEventListener("resync", () => {
      this.#on.resync();
    });
  }

  /** Retry once before reporting: a restart of the daemon isn't worth a message. */
  #again(link: LinkState): void {
    this.#source = undefined;
    if (link === "lost" || this.#attempt > 0) this.#on.link(link);
    this.#timer = setTimeout(() => void this.#connect(), backoffMs(this.#attempt, this.#random));
    this.#attempt += 1;
  }
}
