/** What the Inbox view says about items and decisions. */

import type { Evidence, InboxChange, InboxRow, UserAction } from "$lib/api/client";
import { lineOf } from "$lib/memory/rows";
import { typeOf } from "$lib/memory/types";

const SHOWN_CHARS = 48;

/** The user's decisions; other items were closed by the daemon. */
const UNDOABLE: readonly InboxRow["action"][] = ["keep", "drop", "keep_both", "newer_wins", "merge", "keep_apart", "all_projects", "this_project", "apply", "reject", "keep_changes", "undo_changes"];

/** The text in quotes, truncated. */
export function quoted(content: string): string {
  const line = lineOf(content);
  return line.length > SHOWN_CHARS ? `“${line.slice(0, SHOWN_CHARS)}…”` : `“${line}”`;
}

/** What the item is, as a heading: "Suggested rule". */
export function headingOf({ kind, type, change }: Pick<InboxRow, "kind" | "type" | "change">): string {
  switch (kind) {
    case "possible_merge":
      return "Possible merge";
    case "wider_scope":
      return "For all projects?";
    case "contradiction":
      return "Contradiction";
    case "proposed_change":
      return change?.forget === true ? "An agent wants to forget this" : "An agent wants to change this";
    case "agent_changes":
      return "Changes by an agent";
    case "suggestion":
      return `Suggested ${typeOf(type).label.toLowerCase()}`;
  }
}

/** What an agent proposes of a memory besides its text, one line each. */
export function wantedTexts(change: InboxChange): string[] {
  const texts = change.forget ? ["Forget the memory"] : [];
  if (typeof change.type === "string") texts.push(`Type: ${typeOf(change.type).label}`);
  if (typeof change.importance === "number") texts.push(`Importance: ${change.importance.toLocaleString()}`);
  if (Array.isArray(change.tags)) texts.push(`Tags: ${change.tags.length === 0 ? "none" : change.tags.join(", ")}`);
  return texts;
}

/** Whether an agent suggests it by itself. */
export function isClaim({ kind, origin }: Pick<InboxRow, "kind" | "origin">): boolean {
  return kind === "suggestion" && origin === "agent";
}

export const CLAIM_LABEL = "Claimed by the agent";

interface SpeakerEvidence {
  readonly heading: string;
  readonly label: string;
  readonly evidence: readonly Evidence[];
}

/** What the agent claims and what the user said, each with a heading. */
export function bySpeaker(evidence: readonly Evidence[], agent = "The agent's words"): SpeakerEvidence[] {
  const of = (by: Evidence["by"], heading: string, label: string): SpeakerEvidence[] => {
    const own = evidence.filter((said) => said.by === by);
    const times = own.length > 1 ? ` (${own.length.toLocaleString()} times)` : "";
    return own.length === 0 ? [] : [{ heading: `${heading}${times}`, label, evidence: own }];
  };
  return [...of("agent", agent, agent), ...of("user", "You said", "What you said")];
}

/** What editing an item does: the suggestion, or the newer memory of a contradiction, is changed and kept. */
export const EDIT_LABELS: Readonly<Record<InboxRow["kind"], string>> = {
  suggestion: "Edit and keep",
  contradiction: "Edit newer, keep both",
  possible_merge: "Edit",
  wider_scope: "Edit",
  proposed_change: "Edit",
  agent_changes: "Edit",
};

/** A decision that was just made, as a sentence. */
export function decisionText(item: Pick<InboxRow, "kind" | "content">, action: UserAction): string {
  switch (action) {
    case "keep":
      return `Kept ${quoted(item.content)}.`;
    case "keep_both":
      return "Kept both memories.";
    case "newer_wins":
      return "Kept the newer memory and forgot the older one.";
    case "merge":
      return `Merged ${quoted(item.content)}.`;
    case "keep_apart":
      return `Kept ${quoted(item.content)} apart.`;
    case "all_projects":
      return `Applied ${quoted(item.content)} to all projects.`;
    case "this_project":
      return `Left ${quoted(item.content)} in its project.`;
    case "apply":
      return `Applied the change to ${quoted(item.content)}.`;
    case "reject":
      return `Left ${quoted(item.content)} as it is.`;
    case "keep_changes":
      return "Kept the agent's changes.";
    case "undo_changes":
      return "Undid the agent's changes.";
    case "drop":
      return item.kind === "contradiction" ? "Kept the older memory and forgot the newer one." : `Dropped ${quoted(item.content)}.`;
  }
}

type Outcome = readonly [short: string, full: string];

/** What became of a done item. */
function outcomeOf({ kind, action }: Pick<InboxRow, "kind" | "action">): Outcome {
  switch (action) {
    case "keep":
      return ["Kept", "Kept"];
    case "drop":
      return kind === "contradiction" ? ["Kept older", "Kept the older memory"] : ["Dropped", "Dropped"];
    case "keep_both":
      return ["Kept both", "Kept both memories"];
    case "newer_wins":
      return ["Kept newer", "Kept the newer memory"];
    case "merge":
      return ["Merged", "Merged into one entity"];
    case "keep_apart":
      return ["Kept apart", "Kept apart as two entities"];
    case "all_projects":
      return ["All projects", "Applied to all projects"];
    case "this_project":
      return ["This project", "Left in its project"];
    case "apply":
      return ["Applied", "Applied the change"];
    case "reject":
      return ["Left as it is", "Left the memory as it is"];
    case "keep_changes":
      return ["Kept", "Kept the changes"];
    case "undo_changes":
      return ["Undone", "Undid the changes"];
    case "said_again":
      return ["Kept", "Kept because you said it again"];
    case "withdrawn":
      return ["Withdrawn", "Closed because you took it back"];
    case "expired":
      return ["Expired", "Expired"];
    case "memory_gone":
      return ["Closed", "Closed because a memory it is about was forgotten"];
    case "memory_changed":
      return ["Closed", "Closed because the memory was changed"];
    case null:
      return ["Open", "Open"];
  }
}

/** What became of a done item, for the list. */
export function shortOutcome(item: Pick<InboxRow, "kind" | "action">): string {
  return outcomeOf(item)[0];
}

/** What became of a done item, in a few words. */
export function outcomeText(item: Pick<InboxRow, "kind" | "action">): string {
  return outcomeOf(item)[1];
}

/** Whether the item was decided on by the user, who can undo that. */
export function canUndo({ status, action }: Pick<InboxRow, "status" | "action">): boolean {
  return status === "done" && UNDOABLE.includes(action);
}

/** How sure capture is of a suggestion, and why it asks; both shares are 0 to 1. */
export function confidenceText({ confidence, keep_at }: Pick<InboxRow, "confidence" | "keep_at">): string {
  // Rounded down, a share never looks as if it had reached the threshold.
  const sure = `${String(Math.floor(confidence * 100 + 1e-6))}% sure`;
  if (confidence >= keep_at) return `${sure}, but it may not make sense on its own.`;
  return `${sure}. Saved without asking from ${String(Math.round(keep_at * 1_000) / 10)}%.`;
}

/** How similar the names of two entities are; the share is 0 to 1. */
export function similarityText({ confidence }: Pick<InboxRow, "confidence">): string {
  return `${String(Math.floor(confidence * 100 + 1e-6))}%`;
}

/** The number of items in words: "3 open", "1 done". */
export function countText(rows: number, isComplete: boolean, status: "open" | "done"): string {
  return `${rows.toLocaleString()}${isComplete ? "" : "+"} ${status}`;
}
