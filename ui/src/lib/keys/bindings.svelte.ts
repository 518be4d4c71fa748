/** The user's own key bindings, stored in this browser. */

import { readLocal, writeLocal } from "$lib/state/local-storage";
import { ChangedSinceError, offerUndo } from "$lib/state/undo";

const STORAGE_KEY = "intaglio.keys";

type CustomBindings = Readonly<Record<string, readonly string[]>>;

function isKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}

/** Read the stored bindings; ignores malformed entries. */
function readBindings(): CustomBindings {
  try {
    const value: unknown = JSON.parse(readLocal(STORAGE_KEY) ?? "{}");
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, keys]) => isKeys(keys)));
  } catch {
    return {};
  }
}

export class Bindings {
  #custom = $state.raw<CustomBindings>(readBindings());

  of(action: { readonly id: string; readonly keys: readonly string[] }): readonly string[] {
    return this.#custom[action.id] ?? action.keys;
  }

  isCustom(id: string): boolean {
    return id in this.#custom;
  }

  get hasCustom(): boolean {
    return Object.keys(this.#custom).length > 0;
  }

  set(id: string, keys: readonly string[]): void {
    this.#persist({ ...this.#custom, [id]: keys });
  }

  reset(id: string): void {
    this.#persist(Object.fromEntries(Object.entries(this.#custom).filter(([key]) => key !== id)));
  }

  /** Give all actions the keys they come with. */
  resetAll(): void {
    const former = this.#custom;
    this.#persist({});
    offerUndo({
      text: "All keys are reset.",
      undo: () => {
        if (this.hasCustom) return Promise.reject(new ChangedSinceError());
        this.#persist(former);
        return Promise.resolve();
      },
    });
  }

  #persist(own: CustomBindings): void {
    this.#custom = own;
    writeLocal(STORAGE_KEY, Object.keys(own).length === 0 ? undefined : JSON.stringify(own));
  }
}
