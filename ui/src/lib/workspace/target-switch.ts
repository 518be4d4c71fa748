/** Switches a sync target on or off, and offers to undo that. */

import { workspaceApi, type SyncTarget } from "$lib/api/workspace";
import { reportFailure } from "$lib/memory/memory-actions";
import { offerUndo } from "$lib/state/undo";

import { workspace } from "./workspace.svelte";

/** What a person calls the target, and its file. */
export type SwitchedTarget = Pick<SyncTarget, "id" | "label" | "path">;

/** Resolves to whether it was switched; a refusal is told as a toast. */
export async function switchTarget({ id, label, path }: SwitchedTarget, enabled: boolean): Promise<boolean> {
  try {
    workspace.set(await workspaceApi.switchTarget(id, enabled));
  } catch (thrown) {
    reportFailure(`Couldn't switch ${label} ${enabled ? "on" : "off"}`, thrown);
    return false;
  }
  offerUndo({
    text: enabled ? `${label}: sync is on.` : `${label}: sync is off.`,
    hint: enabled ? "" : `Intaglio's block was removed${path === "" ? "" : ` from ${path}`}. Nothing else in the file changed.`,
    undo: async () => {
      workspace.set(await workspaceApi.switchTarget(id, !enabled));
    },
  });
  return true;
}
