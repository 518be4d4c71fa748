/** Toasts. One with an action stays longer; one with progress stays until the job ends. */

export interface Action {
  readonly label: string;
  readonly run: () => void;
  /** `u` for Undo. */
  readonly hotkey?: string;
  /** Why it isn't possible right now; undefined if it is. */
  readonly blocked?: () => string | undefined;
}

/** The progress of a job. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export interface Toast {
  readonly id: number;
  readonly tone: "plain" | "danger";
  readonly text: string;
  readonly hint: string;
  readonly action: Action | undefined;
  /** While set, the toast stays. */
  readonly progress: Progress | undefined;
}

/** Options besides the text; `progress: undefined` ends the job. */
export interface ToastOptions {
  readonly tone?: Toast["tone"];
  readonly hint?: string;
  readonly action?: Action | undefined;
  readonly progress?: Progress | undefined;
}

const PLAIN_MS = 6_000;
const ACTION_MS = 12_000;
const MAX_SHOWN = 3;

export class Toasts {
  all = $state.raw<readonly Toast[]>([]);
  #next = 1;
  readonly #held = new Set<number>();
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  add(text: string, more: ToastOptions = {}): number {
    const id = this.#next++;
    const blank = { id, text, tone: "plain", hint: "", action: undefined, progress: undefined } as const;
    this.all = [...this.all, { ...blank, ...more }];
    this.#trim();
    this.#wait(id);
    return id;
  }

  /** Update a toast; one that is gone is shown again. */
  update(id: number, change: ToastOptions & { readonly text?: string }): void {
    const old = this.all.find((toast) => toast.id === id);
    if (old === undefined) {
      if (change.text !== undefined && change.progress === undefined) this.add(change.text, change);
      return;
    }
    this.all = this.all.map((toast) => (toast === old ? { ...old, ...change } : toast));
    this.#wait(id);
  }

  dismiss(id: number): void {
    this.#stop(id);
    this.#held.delete(id);
    this.all = this.all.filter((toast) => toast.id !== id);
  }

  /** Keep it while it is hovered or focused. */
  pause(id: number): void {
    this.#held.add(id);
    this.#stop(id);
  }

  resume(id: number): void {
    this.#held.delete(id);
    this.#wait(id);
  }

  /** Run a toast's action and close it; if the action is blocked, show why instead. */
  act(id: number): void {
    const toast = this.all.find((one) => one.id === id);
    if (toast?.action === undefined) return;
    const why = toast.action.blocked?.();
    if (why !== undefined) {
      this.update(id, { hint: why });
      return;
    }
    this.dismiss(id);
    toast.action.run();
  }

  /** The newest toast with an Undo action. */
  get undoable(): Toast | undefined {
    return this.all.findLast((toast) => toast.action?.hotkey === "u");
  }

  undo(): void {
    if (this.undoable !== undefined) this.act(this.undoable.id);
  }

  /** Limit the number of toasts: drop the oldest, those with progress last. */
  #trim(): void {
    while (this.all.length > MAX_SHOWN) {
      const oldest = this.all.find((toast) => toast.progress === undefined) ?? this.all[0];
      if (oldest !== undefined) this.dismiss(oldest.id);
    }
  }

  #stop(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  #wait(id: number): void {
    this.#stop(id);
    const toast = this.all.find((one) => one.id === id);
    if (toast === undefined || toast.progress !== undefined || this.#held.has(id)) return;
    const wait = toast.action === undefined ? PLAIN_MS : ACTION_MS;
    this.#timers.set(
      id,
      setTimeout(() => {
        this.dismiss(id);
      }, wait),
    );
  }
}

export const toasts = new Toasts();
