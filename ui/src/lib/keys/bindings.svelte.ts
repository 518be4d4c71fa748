/** The keys that a user gave to actions instead of those they come with; kept in this browser. */

import { readLocal, writeLocal } from "$lib/state/local-storage";
import { ChangedSinceError, offerUndo } from "$lib/state/undo";

const STORED = "intaglio.keys";

type Own = Readonly<Record<string, readonly string[]>>;

function isKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}

/** What was kept; anything that is not as this page writes it is left out. */
function stored(): Own {
  try {
    const value: unknown = JSON.parse(readLocal(STORED) ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, keys]) => isKeys(keys)));
  } catch {
    return {};
  }
}

export class Bindings {
  #own = $state.raw<Own>(stored());

  of(action: { readonly id: string; readonly keys: readonly string[] }): readonly string[] {
    return this.#own[action.id] ?? action.keys;
  }

  isOwn(id: string): boolean {
    return id in this.#own;
  }

  get hasOwn(): boolean {
    return Object.keys(this.#own).length > 0;
  }

  set(id: string, keys: readonly string[]): void {
    this.#keep({ ...this.#own, [id]: keys });
  }

  reset(id: string): void {
    this.#keep(Object.fromEntries(Object.entries(this.#own).filter(([key]) => key !== id)));
  }

  /** Give all actions the keys they come with. */
  resetAll(): void {
    const former = this.#own;
    this.#keep({});
    offerUndo({
      text: "All keys are reset.",
      undo: () => {
        if (this.hasOwn) return Promise.reject(new ChangedSinceError());
        this.#keep(former);
        return Promise.resolve();
      },
    });
  }

  #keep(own: Own): void {
    this.#own = own;
    writeLocal(STORED, Object.keys(own).length === 0 ? undefined : JSON.stringify(own));
  }
}
