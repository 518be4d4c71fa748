/** Taking back what came from a source, with Undo. */

import { sourceApi, type SourceRemoval } from "$lib/api/sources";
import { plural } from "$lib/plural";
import { reportFailure } from "$lib/memory/memory-actions";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

const POLL_MS = 500;

/** What was taken back, as a sentence: "Forgot 12 memories and dropped 3 suggestions." */
export function removalText({ forgotten, dropped }: Pick<SourceRemoval, "forgotten" | "dropped">): string {
  const parts = [
    ...(forgotten > 0 ? [`forgot ${plural(forgotten, "memory", "memories")}`] : []),
    ...(dropped > 0 ? [`dropped ${plural(dropped, "suggestion")}`] : []),
  ];
  const text = parts.join(" and ");
  return text === "" ? "Taken back." : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Say what was taken back, and offer to undo it. */
export function offerRemovalUndo(removal: SourceRemoval, onundone: () => void): void {
  const { kept, running } = removal;
  const stays = kept > 0 ? `${plural(kept, "memory", "memories")} ${kept === 1 ? "stays" : "stay"}.` : "";
  offerUndo({
    text: running ? "Taking it back in the background." : removalText(removal),
    hint: stays,
    undo: async () => {
      await untilComplete(removal);
      await sourceApi.undoTakeBack(removal.id);
      onundone();
    },
  });
}

/** A removal that goes on in the background can only be undone once it is complete. */
async function untilComplete({ id, running }: SourceRemoval): Promise<void> {
  for (let goesOn = running; goesOn;) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    goesOn = (await sourceApi.takenBack()).some((one) => one.id === id && one.running);
  }
}

/** Undo a removal; false if that failed, which is reported. */
export async function undoRemoval({ id }: SourceRemoval): Promise<boolean> {
  try {
    await sourceApi.undoTakeBack(id);
    toasts.add("Undone.");
    return true;
  } catch (thrown) {
    reportFailure("Couldn't undo", thrown);
    return false;
  }
}
