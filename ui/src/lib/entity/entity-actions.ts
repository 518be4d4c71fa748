/** Changes of entities, each reported with Undo. */

import { api, type AttributeChange, type AttributeRow, type EntityChangeReply, type EntityRow } from "$lib/api/client";
import { reportFailure } from "$lib/memory/memory-actions";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

import { changesText, pinEffects, type PinEffect } from "./pin-effect.svelte";
import { pinnedEntities } from "./pinned-entities.svelte";

type Named = Pick<EntityRow, "id" | "name" | "project">;

const SHOWN_CHARS = 40;

export function quotedName(name: string): string {
  const points = Array.from(name);
  return points.length > SHOWN_CHARS ? `“${points.slice(0, SHOWN_CHARS).join("")}…”` : `“${name}”`;
}

function hintOf(effect: PinEffect | undefined): string {
  if (effect === undefined) return "";
  const text = changesText(effect);
  return text === "" ? "Your next session is told the same." : `Your next session: ${text}.`;
}

async function setPinned(entity: Named, pinned: boolean): Promise<PinEffect | undefined> {
  const effect = await pinEffects.during(entity, pinned, () => (pinned ? api.pinEntity(entity.id) : api.unpinEntity(entity.id)));
  pinnedEntities.refresh(0);
  return effect;
}

/** Pin or unpin an entity, and tell what that changes for the next session. */
export async function pinWithEffect(entity: Named, pinned: boolean): Promise<void> {
  try {
    const effect = await setPinned(entity, pinned);
    offerUndo({
      text: `${pinned ? "Pinned" : "Unpinned"} ${quotedName(entity.name)}.`,
      hint: hintOf(effect),
      undo: () => setPinned(entity, !pinned),
    });
  } catch (thrown) {
    reportFailure(pinned ? "Couldn't pin the entity" : "Couldn't unpin the entity", thrown);
  }
}

/** Suppress an entity, which also unpins it, or end that. */
export async function setSuppressed(entity: Named & Pick<EntityRow, "pinned">, suppressed: boolean): Promise<void> {
  const set = (on: boolean): Promise<unknown> => (on ? api.suppressEntity(entity.id) : api.unsuppressEntity(entity.id));
  try {
    await set(suppressed);
    pinnedEntities.refresh(0);
    offerUndo({
      text: suppressed ? `Suppressed ${quotedName(entity.name)}.` : `${quotedName(entity.name)} is no longer suppressed.`,
      undo: async () => {
        await set(!suppressed);
        if (suppressed && entity.pinned) await setPinned(entity, true);
      },
    });
  } catch (thrown) {
    reportFailure(suppressed ? "Couldn't suppress the entity" : "Couldn't unsuppress the entity", thrown);
  }
}

/** Report changes of an entity, and offer to undo all of them, the last one first; `onundone` receives the id of the entity. */
export function offerEntityUndo(
  text: string,
  replies: readonly EntityChangeReply[],
  onundone: (id: string) => void = () => undefined,
): void {
  const ids = replies.flatMap(({ changeId }) => (changeId === null ? [] : [changeId])).reverse();
  if (ids.length === 0) return;
  offerUndo({
    text,
    undo: async () => {
      let id: string | undefined;
      for (const change of ids) id = (await api.undoEntityChange(change)).entity.id;
      pinnedEntities.refresh(0);
      if (id !== undefined) onundone(id);
    },
  });
}

/** Undo a change from the list of changes; false if it can't be undone. */
export async function undoChange(id: string): Promise<boolean> {
  try {
    await api.undoEntityChange(id);
    return true;
  } catch (thrown) {
    reportFailure("Couldn't undo", thrown);
    return false;
  }
}

/** Change what a fact is; `back` is what it was, undefined if that can't be restored. */
export async function changeFact(
  fact: AttributeRow,
  change: AttributeChange,
  text: string,
  back: AttributeChange | undefined,
  onundone: () => void,
): Promise<boolean> {
  try {
    await api.changeFact(fact.id, change);
  } catch (thrown) {
    reportFailure("Couldn't change the statement", thrown);
    return false;
  }
  if (back === undefined) toasts.add(text);
  else {
    offerUndo({
      text,
      undo: async () => {
        await api.changeFact(fact.id, back);
        onundone();
      },
    });
  }
  return true;
}
