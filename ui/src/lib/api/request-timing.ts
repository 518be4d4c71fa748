/** Detects slow responses: the daemon is slow while any request takes longer than `SLOW_MS`. */

export const SLOW_MS = 3_000;

export class RequestTiming {
  /** Timers of the pending requests. */
  readonly #calls = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #late = new Set<number>();
  readonly #listeners = new Set<(isSlow: boolean) => void>();
  #next = 0;
  #isSlow = false;

  /** Listen for changes between slow and normal; returns a function that stops. */
  onChange(listener: (isSlow: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Start timing a request; returns a function to call when it ends. */
  begin(): () => void {
    const call = this.#next++;
    const late = (): void => {
      this.#late.add(call);
      this.#notify();
    };
    this.#calls.set(call, setTimeout(late, SLOW_MS));
    return () => {
      clearTimeout(this.#calls.get(call));
      this.#calls.delete(call);
      this.#late.delete(call);
      this.#notify();
    };
  }

  /** Wrap a fetch so that its requests are timed. */
  timed(fetches: (request: Request) => Promise<Response>): (request: Request) => Promise<Response> {
    return async (request) => {
      const end = this.begin();
      try {
        return await fetches(request);
      } finally {
        end();
      }
    };
  }

  #notify(): void {
    const isSlow = this.#late.size > 0;
    if (isSlow === this.#isSlow) return;
    this.#isSlow = isSlow;
    for (const listener of this.#listeners) listener(isSlow);
  }
}

export const requestTiming = new RequestTiming();
