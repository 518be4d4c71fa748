/** The newest memories, which the search lists before anything is typed. */

import { api } from "$lib/api/client";
import type { Destination } from "$lib/finding/destination";
import { lineOf } from "$lib/memory/rows";
import { projectName, typeOf } from "$lib/memory/types";
import { Resource } from "$lib/state/resource.svelte";

const SHOWN = 8;

export class NewestMemories extends Resource<readonly Destination[]> {
  protected async read(signal: AbortSignal): Promise<readonly Destination[]> {
    const { memories } = await api.memories({ limit: SHOWN }, signal);
    return memories.map(({ id, content, type, project }) => ({
      id: `memory:${id}`,
      label: lineOf(content),
      icon: typeOf(type).icon,
      kind: typeOf(type).label,
      detail: project === null ? undefined : projectName(project),
      path: `/memories/${encodeURIComponent(id)}`,
    }));
  }
}
