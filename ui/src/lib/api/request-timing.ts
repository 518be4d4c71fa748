/** Whether the daemon's answers take long: while one is waited for longer than that, they do. */

export const SLOW_MS = 3_000;

export class RequestTiming {
  /** The calls under way, each with the clock that says that it is late. */
  readonly #calls = new Map<number, ReturnType<typeof setTimeout>>();
  readonly #late = new Set<number>();
  readonly #listeners = new Set<(isSlow: boolean) => void>();
  #next = 0;
  #isSlow = false;

  /** Hear when it becomes slow and when it is quick again; returns what ends it. */
  onChange(listener: (isSlow: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A call begins; returns what is to be called when it has its answer or was given up. */
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

  /** Whatever fetches, with its calls counted. */
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
