/** What kinds of sources there are: their names, icons, and where each one is shown. */

import Bot from "@lucide/svelte/icons/bot";
import FileText from "@lucide/svelte/icons/file-text";
import History from "@lucide/svelte/icons/history";
import MessagesSquare from "@lucide/svelte/icons/messages-square";
import Wrench from "@lucide/svelte/icons/wrench";

import type { MemorySource } from "$lib/api/sources";

interface SourceKind {
  readonly label: string;
  readonly icon: typeof Bot;
  /** The filter of the list of memories by which they are found; undefined if there is none. */
  readonly filter?: string;
}

export const SOURCE_KINDS: Readonly<Record<MemorySource["kind"], SourceKind>> = {
  session: { label: "Session", icon: MessagesSquare },
  import: { label: "Import", icon: History },
  file: { label: "File", icon: FileText, filter: "file" },
  agent: { label: "Agent", icon: Bot, filter: "who" },
  tool: { label: "Tool", icon: Wrench },
};

/** The address of an import, or of the memories of a source; undefined if the list can't be filtered by it. */
export function sourcePath({ kind, id }: MemorySource): string | undefined {
  const { filter } = SOURCE_KINDS[kind];
  if (kind === "import") return `/import/${encodeURIComponent(id)}`;
  return filter === undefined ? undefined : `/memories?${new URLSearchParams({ [filter]: id }).toString()}`;
}
