/** Undo of changes to one memory, guarded by its version: later changes are never overwritten. */

import { api, type MemoryRow, type ModifyRequest, type MutationReply, type Versions } from "$lib/api/client";
import { connection } from "$lib/state/connection.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo, type Undoable } from "$lib/state/undo";

import { tagsOf } from "./rows";

/** The version of an unchanged memory. */
const FIRST_VERSION = 1;
const REASON = "undone in the dashboard";

/**
 * Which version a memory is at again. An undone change leaves a newer version that says what the one
 * before the change said; so the undo of an earlier change goes by that.
 */
export class SameVersions {
  readonly #newer = new Map<string, number>();

  /** Record that undoing the change after `version` created the version `newer`. */
  add(id: string, version: number, newer: number): void {
    this.#newer.set(`${String(version)} ${id}`, newer);
  }

  /** Record several, as far as both versions are known. */
  addAll(versions: Versions, newer: Versions): void {
    for (const [id, now] of newer) {
      const version = versions.get(id);
      if (version !== undefined && now !== undefined) this.add(id, version, now);
    }
  }

  /** The newest version with the same content as this one. */
  newest<Known extends number | undefined>(id: string, version: Known): Known | number {
    let now: Known | number = version;
    for (let next: number | undefined = now; next !== undefined; next = this.#newer.get(`${String(now)} ${id}`)) now = next;
    return now;
  }
}

export const sameVersions = new SameVersions();

type Change = Pick<MutationReply, "id" | "currentVersion" | "newVersion">;

interface Back extends Omit<Undoable, "undo"> {
  /** Reverts the memory, unless its version has changed since. */
  readonly back: (version: number) => Promise<Change>;
}

/** Offer to undo a change of one memory, if it changed anything. */
export function offerMemoryUndo({ id, currentVersion, newVersion }: Change, { back, ...words }: Back): void {
  if (currentVersion === newVersion) {
    toasts.add(words.text, { hint: words.hint ?? "" });
    return;
  }
  offerUndo({
    ...words,
    undo: async () => {
      const now = await back(sameVersions.newest(id, newVersion));
      sameVersions.add(id, currentVersion, now.newVersion);
    },
  });
}

/** The previous values of the fields that a change sets. */
function formerOf(change: ModifyRequest, row: MemoryRow): ModifyRequest {
  const former = {
    content: row.content,
    type: row.type,
    tags: [...tagsOf(row.tags)],
    importance: row.importance,
    pinned: Boolean(row.pinned),
    project: row.project,
    visibility: row.visibility,
  };
  return { reason: REASON, ...Object.fromEntries(Object.entries(former).filter(([name]) => name in change)) };
}

/** Offer to undo a change of fields; `row` is the memory as it was before. */
export function offerFieldsUndo(row: MemoryRow, change: ModifyRequest, reply: Change, words: Omit<Undoable, "undo">): void {
  offerMemoryUndo(reply, {
    ...words,
    back: (version) => changed(row.id, api.modify(row.id, { ...formerOf(change, row), if_version: version })),
  });
}

/** Notify the page without waiting for the daemon's event. */
async function changed(id: string, call: Promise<MutationReply>, what: "updated" | "deleted" = "updated"): Promise<MutationReply> {
  const reply = await call;
  connection.announce({ topic: "memory", what, ids: [id] });
  return reply;
}

/** Undo saving a memory by forgetting it, unless it changed since; a pinned one is unpinned first. */
export async function forgetNew(id: string, pinned: boolean): Promise<void> {
  let version = sameVersions.newest(id, FIRST_VERSION);
  if (pinned) {
    const { newVersion } = await api.modify(id, { reason: REASON, pinned: false, if_version: version });
    // If forgetting fails, a retry continues from here.
    sameVersions.add(id, version, newVersion);
    version = newVersion;
  }
  await changed(id, api.forget(id, REASON, version), "deleted");
}

/** Undo a restore by forgetting the memory again, unless it changed since. */
export function forgetAgain(id: string, version: number): Promise<MutationReply> {
  return changed(id, api.forget(id, REASON, version), "deleted");
}
