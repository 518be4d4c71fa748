/** Which steps of the Welcome page were passed, kept in this browser, and whether it opens by itself. */

import { readLocal, writeLocal } from "$lib/state/local-storage";

export const STEPS = [
  { id: "agents", title: "Connect your agents" },
  { id: "import", title: "Import past sessions" },
  { id: "keep", title: "What is kept and told" },
  { id: "desktop", title: "Notifications and start" },
  { id: "next", title: "What happens next" },
] as const;

export type Step = (typeof STEPS)[number];
export type StepId = Step["id"];

const KEY = "intaglio.welcome";
const DISMISSED = "dismissed";
const SKIPPED = "skipped:";

export function isStep(text: string | null): text is StepId {
  return STEPS.some(({ id }) => id === text);
}

export class Welcome {
  /** The ids of passed steps, those of skipped ones after `skipped:`, and `dismissed`. */
  #kept = $state.raw<ReadonlySet<string>>(new Set(readLocal(KEY)?.split(" ")));
  #isOffered = false;

  /** The first step that wasn't passed; the last one if all were. */
  get first(): StepId {
    return STEPS.find(({ id }) => !this.isDone(id) && !this.isSkipped(id))?.id ?? "next";
  }

  isDone(id: StepId): boolean {
    return this.#kept.has(id);
  }

  isSkipped(id: StepId): boolean {
    return this.#kept.has(SKIPPED + id);
  }

  pass(id: StepId, isSkipped = false): void {
    this.#keep(isSkipped ? SKIPPED + id : id);
  }

  /** The page doesn't open by itself any more. */
  dismiss(): void {
    this.#keep(DISMISSED);
  }

  /** Whether to open the page now: once in each window, until it is dismissed. */
  offer(): boolean {
    if (this.#isOffered || this.#kept.has(DISMISSED)) return false;
    this.#isOffered = true;
    return true;
  }

  #keep(word: string): void {
    this.#kept = new Set([...this.#kept, word]);
    writeLocal(KEY, [...this.#kept].join(" "));
  }
}

export const welcome = new Welcome();
