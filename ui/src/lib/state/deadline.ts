/** A timer with one piece of work: however often it is asked for meanwhile, it is done once. */

/** A browser's timers run no longer than this. */
const LONGEST_MS = 2 ** 31 - 1;

export class Deadline {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  readonly #work: () => void;

  constructor(work: () => void) {
    this.#work = work;
  }

  /** Do it within so many milliseconds: an earlier date stands. */
  within(ms: number): void {
    if (Date.now() + ms < this.#due) this.restart(ms);
  }

  /** Do it in so many milliseconds, whatever was planned. */
  restart(ms: number): void {
    this.stop();
    this.#due = Date.now() + ms;
    this.#timer = setTimeout(
      () => {
        this.stop();
        this.#work();
      },
      Math.min(ms, LONGEST_MS),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = Infinity;
  }
}
