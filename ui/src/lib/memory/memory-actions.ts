/** Actions on a single memory, each with Undo. */

import { api } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

import { forgetAgain, offerFieldsUndo, offerMemoryUndo } from "./memory-undo";
import { lineOf } from "./rows";

const SHOWN_CHARS = 48;
const UNDONE = "undone in the dashboard";

/** Report an error as a toast; a missing sign-in has its own page. */
export function reportFailure(what: string, thrown: unknown): void {
  const error = asApiError(thrown);
  if (error.isSignedOut) return;
  toasts.add(`${what}: ${error.message}`, { tone: "danger", hint: error.hint });
}

/** A list that a memory is removed from; `remove` returns a function that puts it back. */
export interface MemoryList {
  readonly remove: (id: string) => () => void;
}

/** An action that takes a memory out of a list; `back` is called if the user undoes it. */
export type TakeOut = (list: MemoryList, id: string, back: (id: string) => void) => Promise<boolean>;

function quoted(content: string): string {
  const line = lineOf(content);
  return line.length > SHOWN_CHARS ? `“${line.slice(0, SHOWN_CHARS)}…”` : `“${line}”`;
}

/** Restore a forgotten memory, whatever its current version. */
export async function restoreMemory(id: string, back: (id: string) => void): Promise<void> {
  try {
    const reply = await api.recover(id, "restored in the dashboard", undefined);
    back(id);
    offerMemoryUndo(reply, { text: "Restored.", back: (version) => forgetAgain(id, version) });
  } catch (thrown) {
    reportFailure("Couldn't restore the memory", thrown);
  }
}

/** Use a replaced memory again; the one that replaced it stays. */
export async function reinstateMemory(id: string): Promise<void> {
  try {
    await api.reinstate(id, "used again in the dashboard");
    toasts.add("Used again. The newer memory stays, too.");
  } catch (thrown) {
    reportFailure("Couldn't use the memory again", thrown);
  }
}

/**
 * Forget a memory: the row is removed immediately, and put back if the request fails or the user
 * undoes it. A pinned memory has to be unpinned first (`force` would erase it); an undo pins it
 * again, as in version `pinnedAt`.
 */
export async function forget(list: MemoryList, id: string, back: (id: string) => void, pinnedAt?: number): Promise<boolean> {
  let putBack = (): void => undefined;
  try {
    const row = await api.memory(id);
    if (row.pinned) {
      toasts.add("This memory is pinned.", {
        action: { label: "Unpin and forget", run: () => void unpinAnd(id, () => forget(list, id, back, row.version)) },
      });
      return false;
    }
    putBack = list.remove(id);
    const reply = await api.forget(id, "forgotten in the dashboard", row.version);
    offerMemoryUndo(
      { ...reply, currentVersion: pinnedAt ?? reply.currentVersion },
      {
        text: `Forgot ${quoted(row.content)}`,
        back: async (version) => {
          let now = await api.recover(id, UNDONE, version);
          if (pinnedAt !== undefined) now = await api.modify(id, { reason: UNDONE, pinned: true, if_version: now.newVersion });
          back(id);
          return now;
        },
      },
    );
    return true;
  } catch (thrown) {
    putBack();
    reportFailure("Couldn't forget the memory", thrown);
    return false;
  }
}

/** Mark a memory as old: it is kept, and no longer told. Its row is removed, and a pinned one is unpinned, as by `forget`. */
export async function retire(list: MemoryList, id: string, back: (id: string) => void, isUnpinned = false): Promise<boolean> {
  let putBack = (): void => undefined;
  try {
    const row = await api.memory(id);
    if (row.pinned) {
      toasts.add("This memory is pinned.", {
        action: { label: "Unpin and mark as old", run: () => void unpinAnd(id, () => retire(list, id, back, true)) },
      });
      return false;
    }
    putBack = list.remove(id);
    const { status } = await api.retire(id, "marked as old in the dashboard");
    if (status === "no_changes") toasts.add("It is marked as old already.");
    else
      offerUndo({
        text: "Marked as old. It is no longer told.",
        undo: async () => {
          await api.reinstate(id, UNDONE);
          if (isUnpinned) await pin(id, true);
          back(id);
        },
      });
    return true;
  } catch (thrown) {
    putBack();
    reportFailure("Couldn't mark the memory as old", thrown);
    return false;
  }
}

/** Note that a memory was useful to a session, which its key names. */
export async function rateUseful(id: string, sessionKey: string, undone: () => void): Promise<boolean> {
  try {
    if (!(await api.rate(id, sessionKey, 1))) {
      toasts.add("Not recorded: capture is paused.");
      return false;
    }
    offerUndo({
      text: "Marked as useful.",
      undo: async () => {
        await api.rate(id, sessionKey, 0);
        undone();
      },
    });
    return true;
  } catch (thrown) {
    reportFailure("Couldn't mark the memory as useful", thrown);
    return false;
  }
}

/** Unpin a memory and take it out; one that stays is pinned again. */
async function unpinAnd(id: string, takeOut: () => Promise<boolean>): Promise<void> {
  try {
    await pin(id, false);
  } catch (thrown) {
    reportFailure("Couldn't unpin the memory", thrown);
    return;
  }
  if (!(await takeOut())) await pin(id, true).catch(() => undefined);
}

/** Pin or unpin a memory, without Undo. */
async function pin(id: string, pinned: boolean): Promise<void> {
  const row = await api.memory(id);
  await api.modify(id, { reason: reasonOf(pinned), pinned, if_version: row.version });
}

function reasonOf(pinned: boolean): string {
  return pinned ? "pinned in the dashboard" : "unpinned in the dashboard";
}

/** Pin or unpin a memory. */
export async function setPinned(id: string, pinned: boolean): Promise<boolean> {
  try {
    const row = await api.memory(id);
    const change = { reason: reasonOf(pinned), pinned };
    const reply = await api.modify(id, { ...change, if_version: row.version });
    offerFieldsUndo(row, change, reply, { text: pinned ? "Pinned." : "Unpinned." });
    return true;
  } catch (thrown) {
    reportFailure(pinned ? "Couldn't pin the memory" : "Couldn't unpin the memory", thrown);
    return false;
  }
}
