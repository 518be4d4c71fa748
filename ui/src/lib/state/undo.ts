/** Undo of changes: a toast with an Undo button, also triggered by `u`. */

import { asApiError, type ApiError } from "$lib/api/errors";

import { toasts, type Toast } from "./toasts.svelte";

/** A change with its undo. */
export interface Undoable {
  /** What was done: "Saved." */
  readonly text: string;
  readonly hint?: string;
  readonly tone?: Toast["tone"];
  /** Undo the change. Rejects, changing nothing, if the data changed again since. */
  readonly undo: () => Promise<unknown>;
  /** The message after the undo; empty if the undo reports by itself. */
  readonly undone?: string;
  /** Why it can't be undone right now; undefined if it can. */
  readonly blocked?: () => string | undefined;
}

/** The undo would overwrite later changes. */
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

/** Why an undo was refused, as the end of a sentence; undefined if it's worth retrying. */
export function refusalOf(thrown: unknown): string | undefined {
  if (thrown instanceof ChangedSinceError) return REASONS.version_conflict;
  const error = asApiError(thrown);
  const isPassing = error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;
  return isPassing ? undefined : (REASONS[error.outcome] ?? error.message);
}

/** Report a change and offer to undo it; returns the id of the toast. */
export function offerUndo(change: Undoable): number {
  const { text, hint = "", tone = "plain", blocked } = change;
  return toasts.add(text, {
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

/** The request failed: offer the undo again. A missing sign-in has its own page. */
function offerAgain(change: Undoable, error: ApiError): void {
  const failed = `Couldn't undo: ${error.message}`;
  toasts.add(error.isSignedOut ? change.text : failed, {
    hint: error.hint,
    tone: "danger",
    action: { label: "Undo", hotkey: "u", run: () => void undo(change) },
  });
}
