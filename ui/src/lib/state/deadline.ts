/** A timer for one task: requested several times, the task still runs once. */

/** The longest delay that browsers support. */
const LONGEST_MS = 2 ** 31 - 1;

export class Deadline {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  readonly #work: () => void;

  constructor(work: () => void) {
    this.#work = work;
  }

  /** Run it within so many milliseconds; an earlier deadline stays. */
  within(ms: number): void {
    if (Date.now() + ms < this.#due) this.restart(ms);
  }

  /** Run it in so many milliseconds, replacing any deadline. */
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
