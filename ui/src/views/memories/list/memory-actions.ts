/** What a person does to one memory from the list or beside it; each with its way back. */

import { api } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import { connection } from "$lib/state/connection.svelte";
import { toasts } from "$lib/state/toasts.svelte";

import type { MemoryRows } from "./memory-rows.svelte";
import { lineOf } from "$lib/memory/rows";

const SHOWN_CHARS = 48;

/** A failure as a note at the foot of the page. A missing sign-in has its own place. */
export function reportFailure(what: string, thrown: unknown): void {
  const error = asApiError(thrown);
  if (error.isSignedOut) return;
  toasts.add(`${what}: ${error.message}`, { tone: "danger", hint: error.hint });
}

function quoted(content: string): string {
  const line = lineOf(content);
  return line.length > SHOWN_CHARS ? `“${line.slice(0, SHOWN_CHARS)}…”` : `“${line}”`;
}

/** With `repin`, it is pinned as it was before. */
async function recover(id: string, version: number | undefined, back: (id: string) => void, repin = false): Promise<void> {
  try {
    await api.recover(id, "undone in the dashboard", version);
    connection.signedOut = false;
    if (repin) await setPinned(id, true);
    back(id);
  } catch (thrown) {
    reportFailure("It could not be brought back", thrown);
  }
}

/** Bring a memory back that somebody else forgot, whatever its version is by now. */
export function restoreMemory(id: string, back: (id: string) => void): void {
  void recover(id, undefined, back);
}

/**
 * Forget a memory: the row goes at once, and comes back when the daemon refuses or the user undoes
 * it. A pinned one is only forgotten after it is unpinned, never by force, which would erase it; an
 * undo pins it again (`repin`).
 */
export async function forget(list: MemoryRows, id: string, back: (id: string) => void, repin = false): Promise<boolean> {
  let putBack = (): void => undefined;
  try {
    const row = await api.memory(id);
    if (row.pinned) {
      toasts.add("It is pinned, so it stays.", {
        action: { label: "Unpin and forget", run: () => void unpinAndForget(list, id, back) },
      });
      return false;
    }
    putBack = list.remove(id);
    const { newVersion } = await api.forget(id, "forgotten in the dashboard", row.version);
    connection.signedOut = false;
    toasts.add(`Forgotten: ${quoted(row.content)}`, {
      action: { label: "Undo", hotkey: "u", run: () => void recover(id, newVersion, back, repin) },
    });
    return true;
  } catch (thrown) {
    putBack();
    reportFailure("It was not forgotten", thrown);
    return false;
  }
}

async function unpinAndForget(list: MemoryRows, id: string, back: (id: string) => void): Promise<void> {
  if (!(await setPinned(id, false))) return;
  if (!(await forget(list, id, back, true))) await setPinned(id, true);
}

/** Pin or unpin. */
export async function setPinned(id: string, pinned: boolean): Promise<boolean> {
  try {
    const row = await api.memory(id);
    const reason = pinned ? "pinned in the dashboard" : "unpinned in the dashboard";
    await api.modify(id, { reason, pinned, if_version: row.version });
    connection.signedOut = false;
    return true;
  } catch (thrown) {
    reportFailure(pinned ? "It was not pinned" : "It was not unpinned", thrown);
    return false;
  }
}
