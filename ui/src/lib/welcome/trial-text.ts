/** What is said about a line that is tried. */

import type { TriedStatement } from "$lib/api/first-run";
import { typeOf } from "$lib/memory/types";

export interface TrialText {
  readonly tone: "ok" | "info" | "plain";
  readonly text: string;
}

/** Lines to try: two that are kept, and one that isn't. */
export const EXAMPLES = [
  "From now on, run the linter before each commit.",
  "We decided to use Postgres for invoices.",
  "Can you fix the login test?",
] as const;

export const NOTHING_LASTS = "Nothing of it would be kept: it states nothing that matters later.";

export function outcomeText({ outcome, type, everywhere }: TriedStatement): TrialText {
  const where = everywhere ? "for all projects" : "for the project of the session";
  switch (outcome) {
    case "kept":
      return { tone: "ok", text: `Would be kept as a ${typeOf(type).label.toLowerCase()} ${where}.` };
    case "suggested":
      return { tone: "info", text: "Would wait in your inbox: Intaglio isn’t sure enough to keep it without asking." };
    case "considered":
      return { tone: "plain", text: "Would not be kept." };
  }
}
