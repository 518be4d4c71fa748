/** The stream of what changed: opens, reopens with back-off, and says how the link stands. */

export interface ChangeEvent {
  readonly topic: string;
  readonly what: "added" | "updated" | "deleted" | "recovered";
  readonly ids: readonly string[];
}

/** `lost`: no answer at all. `paused`: the daemon answers, but not with its stream. */
export type LinkState = "connecting" | "live" | "paused" | "lost";

export interface EventHandlers {
  link(link: LinkState): void;
  changed(change: ChangeEvent): void;
  state(state: string, reason: string): void;
  /** What is on the page may be old: read it anew. */
  resync(): void;
  /** Ask the daemon how it is; false when it does not answer. */
  probe(): Promise<boolean>;
}

export interface EventStreamOptions {
  open?: (url: string) => EventSource;
  random?: () => number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** The wait before the nth attempt (from 0): doubles up to 15 s, with up to a quarter of jitter. */
export function backoffMs(attempt: number, random: () => number): number {
  const base = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10));
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
  /** Counts the beginnings: what an earlier one asked for is no matter of a later one. */
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

  /** Try at once, whatever the wait. */
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
      // The first time too: something may have changed while the page was on its way.
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
    source.addEventListener("resync", () => {
      this.#on.resync();
    });
  }

  /** One quick second try before saying so: a restart of the daemon is no news. */
  #again(link: LinkState): void {
    this.#source = undefined;
    if (link === "lost" || this.#attempt > 0) this.#on.link(link);
    this.#timer = setTimeout(() => void this.#connect(), backoffMs(this.#attempt, this.#random));
    this.#attempt += 1;
  }
}
