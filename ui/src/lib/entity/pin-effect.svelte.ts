/** What pinning or unpinning an entity changed in what the next session is told. */

import { api, type PreviewLine, type PreviewReply } from "$lib/api/client";
import { plural } from "$lib/plural";
import { projects } from "$lib/projects/projects.svelte";

export interface LineChanges {
  /** Lines that are told now and weren't before, in their order. */
  readonly added: readonly PreviewLine[];
  /** Lines that were told before. */
  readonly removed: readonly PreviewLine[];
}

export interface PinEffect extends LineChanges {
  readonly entityId: string;
  readonly name: string;
  readonly pinned: boolean;
  /** The project whose next session it is; null for one without a project. */
  readonly project: string | null;
}

/** Compare what two previews tell at the start of a session. */
export function lineChanges(before: PreviewReply, after: PreviewReply): LineChanges {
  const ids = ({ start }: PreviewReply): Set<string> => new Set(start.lines.map(({ memoryId }) => memoryId));
  const [old, now] = [ids(before), ids(after)];
  return {
    added: after.start.lines.filter(({ memoryId }) => !old.has(memoryId)),
    removed: before.start.lines.filter(({ memoryId }) => !now.has(memoryId)),
  };
}

/** `+3 lines, −1 line`; empty if nothing changed. */
export function changesText({ added, removed }: LineChanges): string {
  const parts = [
    added.length > 0 ? `+${plural(added.length, "line")}` : "",
    removed.length > 0 ? `−${plural(removed.length, "line")}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

export class PinEffects {
  /** The effect of the last change. */
  last = $state.raw<PinEffect>();
  /** The project whose preview is on the screen; undefined: none is. */
  #shown: string | null | undefined;

  /** A preview of this project is on the screen; returns a function that ends that. */
  show(project: string | null): () => void {
    this.#shown = project;
    return () => {
      if (this.#shown === project) this.#shown = undefined;
      this.clear();
    };
  }

  /** The project whose next session matters most: the one on the screen, else that of the entity, or of its newest memory. */
  async #projectFor({ id, project }: { readonly id: string; readonly project: string | null }): Promise<string | null> {
    if (this.#shown !== undefined) return this.#shown;
    if (project !== null) return project;
    const newest = await api.entityMemories(id, 1, undefined).catch(() => undefined);
    return newest?.items[0]?.project ?? projects.value?.projects[0]?.key ?? null;
  }

  /** Make a change of a pin, and compare what the next session is told before and after. */
  async during(
    entity: { readonly id: string; readonly name: string; readonly project: string | null },
    pinned: boolean,
    change: () => Promise<unknown>,
  ): Promise<PinEffect | undefined> {
    const project = await this.#projectFor(entity);
    const before = await preview(project);
    await change();
    const after = before === undefined ? undefined : await preview(project);
    this.last =
      before === undefined || after === undefined
        ? undefined
        : { ...lineChanges(before, after), entityId: entity.id, name: entity.name, pinned, project };
    return this.last;
  }

  clear(): void {
    this.last = undefined;
  }
}

/** What the next session is told; undefined if that can't be read, which doesn't keep one from pinning. */
async function preview(project: string | null): Promise<PreviewReply | undefined> {
  try {
    return await api.preview(project, undefined);
  } catch {
    return undefined;
  }
}

export const pinEffects = new PinEffects();
