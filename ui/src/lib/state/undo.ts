/** The one way a change is undone: a toast with Undo, which `u` presses too. */

import { asApiError, type ApiError } from "$lib/api/errors";

import { toasts, type Toast } from "./toasts.svelte";

/** A change that was made, and the way back. */
export interface Undoable {
  /** What was done: "Saved." */
  readonly text: string;
  readonly hint?: string;
  readonly tone?: Toast["tone"];
  /** Takes it back. Rejects, and changes nothing, where it was changed again since. */
  readonly undo: () => Promise<unknown>;
  /** What to say then; empty where the undo says it itself. */
  readonly undone?: string;
  /** Why it can't be undone right now; undefined where it can. */
  readonly blocked?: () => string | undefined;
}

/** An undo would overwrite what was changed since. */
export class ChangedSinceError extends Error {
  override readonly name = "ChangedSinceError";
}

const REASONS: Readonly<Record<string, string>> = {
  version_conflict: "it has been changed since.",
  deleted: "it has been forgotten since.",
  already_deleted: "it has been forgotten since.",
  not_deleted: "it has been restored since.",
  not_found: "it no longer exists.",
  pinned_requires_force: "it has been pinned since.",
  retention_expired: "it can no longer be restored.",
  duplicate_content_hash: "another memory has the same content.",
};

/** Why an undo was refused, as the end of a sentence; undefined where it is worth another attempt. */
export function refusalOf(thrown: unknown): string | undefined {
  if (thrown instanceof ChangedSinceError) return REASONS.version_conflict;
  const error = asApiError(thrown);
  const isPassing = error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;
  return isPassing ? undefined : (REASONS[error.outcome] ?? error.message);
}

/** Say that something was changed, and offer to undo it. */
export function offerUndo(change: Undoable): void {
  const { text, hint = "", tone = "plain", blocked } = change;
  toasts.add(text, {
    hint,
    tone,
    action: { label: "Undo", hotkey: "u", run: () => void undo(change), ...(blocked === undefined ? {} : { blocked }) },
  });
}

async function undo(change: Undoable): Promise<void> {
  try {
    await change.undo();
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    if (refusal === undefined) offerAgain(change, asApiError(thrown));
    else toasts.add(`Couldn't undo: ${refusal}`, { tone: "danger" });
    return;
  }
  const { undone = "Undone." } = change;
  if (undone !== "") toasts.add(undone);
}

/** The daemon could not be asked: nothing is lost by that. A missing sign-in has its own banner. */
function offerAgain(change: Undoable, error: ApiError): void {
  const failed = `Couldn't undo: ${error.message}`;
  toasts.add(error.isSignedOut ? change.text : failed, {
    hint: error.hint,
    tone: "danger",
    action: { label: "Undo", hotkey: "u", run: () => void undo(change) },
  });
}
