/** A reading that is wanted soon: however often it is asked for meanwhile, it is done once. */

export class Soon {
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #work: () => void;

  constructor(work: () => void) {
    this.#work = work;
  }

  /** Do it in so many milliseconds, unless it is to be done already. */
  in(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#work();
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
