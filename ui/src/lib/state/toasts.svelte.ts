/** Short notes at the foot of the page; one that offers something waits longer. */

export interface Action {
  readonly label: string;
  readonly run: () => void;
  /** `u` for what takes a step back. */
  readonly hotkey?: string;
}

export interface Toast {
  readonly id: number;
  readonly tone: "plain" | "danger";
  readonly text: string;
  readonly hint: string;
  readonly action: Action | undefined;
}

const PLAIN_MS = 6_000;
const ACTION_MS = 12_000;
const SHOWN = 3;

export class Toasts {
  all = $state.raw<readonly Toast[]>([]);
  #next = 1;
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>();

  add(text: string, more: { tone?: Toast["tone"]; hint?: string; action?: Action } = {}): number {
    const id = this.#next++;
    const toast: Toast = {
      id,
      text,
      tone: more.tone ?? "plain",
      hint: more.hint ?? "",
      action: more.action,
    };
    for (const old of this.all.slice(0, Math.max(0, this.all.length + 1 - SHOWN))) {
      this.dismiss(old.id);
    }
    this.all = [...this.all, toast];
    this.resume(id);
    return id;
  }

  dismiss(id: number): void {
    this.pause(id);
    this.all = this.all.filter((toast) => toast.id !== id);
  }

  /** While someone points at it or has it in focus, it stays. */
  pause(id: number): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  resume(id: number): void {
    const toast = this.all.find((one) => one.id === id);
    if (toast === undefined) return;
    this.pause(id);
    const wait = toast.action === undefined ? PLAIN_MS : ACTION_MS;
    this.#timers.set(id, setTimeout(() => { this.dismiss(id); }, wait));
  }

  /** Do what a note offers; it goes with that. */
  act(id: number): void {
    const toast = this.all.find((one) => one.id === id);
    if (toast?.action === undefined) return;
    this.dismiss(id);
    toast.action.run();
  }

  /** The newest that takes a step back. */
  get undoable(): Toast | undefined {
    return this.all.findLast((toast) => toast.action?.hotkey === "u");
  }

  undo(): void {
    if (this.undoable !== undefined) this.act(this.undoable.id);
  }
}

export const toasts = new Toasts();
