/** What the Inbox view says about items and decisions. */

import type { Evidence, InboxCounts, InboxRow, UserAction } from "$lib/api/client";

import type { Outcome } from "../kinds/kind";
import { kindOf } from "../kinds/registry";
import { quoted } from "../kinds/texts";

import type { InboxFilters } from "./inbox-filters";

interface SpeakerEvidence {
  readonly heading: string;
  readonly label: string;
  readonly evidence: readonly Evidence[];
}

/** Stands for a harness in the evidence that a language model gives: why it asks. */
const MODEL = "model";
/** Stands for a harness in the evidence of what was read in a file. */
const FILE = "file";

/** What the agent claims, what the user said and why a model asks, each with a heading. */
export function bySpeaker(evidence: readonly Evidence[], agent = "The agent's words"): SpeakerEvidence[] {
  const of = (by: Evidence["by"], heading: string, label: string): SpeakerEvidence[] => {
    const own = evidence.filter((said) => said.by === by && said.harness !== MODEL && said.harness !== FILE);
    const times = own.length > 1 ? ` (${own.length.toLocaleString()} times)` : "";
    return own.length === 0 ? [] : [{ heading: `${heading}${times}`, label, evidence: own }];
  };
  const reasons = evidence.filter(({ harness }) => harness === MODEL);
  const asked = reasons.length === 0 ? [] : [{ heading: "Why the model asks", label: "The model's reason", evidence: reasons }];
  const read = evidence.filter(({ harness }) => harness === FILE);
  const files = read.length === 0 ? [] : [{ heading: "In the file", label: "What the file says", evidence: read }];
  return [...asked, ...files, ...of("agent", agent, agent), ...of("user", "You said", "What you said")];
}

/** What an item's line is dated by: the decision, else a suggestion's last words, which may be imported, else its making. */
export function dateOf({ kind, created, decided, evidence }: Pick<InboxRow, "kind" | "created" | "decided" | "evidence">): string {
  const said = kind === "suggestion" ? evidence.flatMap(({ said_at: at }) => at ?? []) : [];
  return decided ?? said.sort().at(-1) ?? created;
}

/** A decision that was just made, as a sentence. */
export function decisionText(item: Pick<InboxRow, "kind" | "content">, action: UserAction): string {
  return kindOf(item).outcomes[action]?.said(item.content) ?? `Decided on ${quoted(item.content)}.`;
}

type Shown = Pick<Outcome, "short" | "full">;

/** What closes an item without the user, who can't undo it. */
const CLOSED: Readonly<Record<string, Shown>> = {
  said_again: { short: "Kept", full: "Kept because you said it again" },
  withdrawn: { short: "Withdrawn", full: "Closed because you took it back" },
  obsolete: { short: "Closed", full: "Closed because it no longer applies" },
  expired: { short: "Expired", full: "Expired" },
  memory_gone: { short: "Closed", full: "Closed because a memory it is about was forgotten" },
  memory_changed: { short: "Closed", full: "Closed because the memory was changed" },
};

/** What became of a done item. */
function outcomeOf(item: Pick<InboxRow, "kind" | "action">): Shown {
  const action = item.action ?? "";
  return CLOSED[action] ?? kindOf(item).outcomes[action] ?? { short: "Done", full: "Done" };
}

/** What became of a done item, for the list. */
export function shortOutcome(item: Pick<InboxRow, "kind" | "action">): string {
  return outcomeOf(item).short;
}

/** What became of a done item, in a few words. */
export function outcomeText(item: Pick<InboxRow, "kind" | "action">): string {
  return outcomeOf(item).full;
}

/** Whether the item was decided on by the user, who can undo that. */
export function canUndo({ status, action }: Pick<InboxRow, "status" | "action">): boolean {
  return status === "done" && action !== null && !(action in CLOSED);
}

/** How many open items a filter lists in all; undefined if it isn't by kind alone, or isn't known. */
export function openCount({ q, status, kind, project, import: run, session }: InboxFilters, counts?: InboxCounts): number | undefined {
  const isCounted = status === "open" && q.trim() === "" && project === undefined && run === undefined && session === undefined;
  if (!isCounted || counts === undefined) return undefined;
  return kind === undefined ? counts.open : counts[kind];
}

/** The number of items in words: "3 open", "1 done"; `total` is how many there are besides the loaded ones. */
export function countText(rows: number, isComplete: boolean, status: "open" | "done", total?: number): string {
  if (!isComplete && total !== undefined && total > rows) return `${total.toLocaleString()} ${status}`;
  return `${rows.toLocaleString()}${isComplete ? "" : "+"} ${status}`;
}
