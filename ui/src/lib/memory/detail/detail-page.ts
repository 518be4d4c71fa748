/** What the details of a memory ask of the page that shows them. */

import type { FilterSet } from "$lib/memory/filters";
import type { MemoryList } from "$lib/memory/memory-actions";

import type { OpenMemory } from "./open-memory.svelte";

export interface DetailPage {
  readonly openMemory: OpenMemory;
  readonly editing: boolean;
  /** What the page shows of memories. */
  readonly items: MemoryList;
  readonly targets: {
    readonly pin: () => void;
    readonly forget: () => Promise<void>;
    readonly recovered: (id: string) => void;
  };
  readonly edit: () => void;
  readonly editEnd: () => void;
  readonly close: () => void;
  /** Show what is like the memory in one of its properties. */
  readonly filterLike: (change: FilterSet) => void;
  /** Show all memories of a session. */
  readonly showSession: (session: string) => void;
  /** Open another memory from here. */
  readonly openFrom: (id: string) => void;
}
