/** The copies of the database that can be restored, and how they are named. */

import type { BackupRow } from "$lib/api/client";

/** The choice that isn't a copy: start with no memories. */
export const EMPTY = "";

/** What is chosen first: the newest copy that isn't of an empty store, nor dated in the future. */
export function newestCopy(copies: readonly BackupRow[]): string | undefined {
  const full = copies.filter((copy) => copy.memories !== 0);
  return (full.find((copy) => !copy.in_future) ?? full[0] ?? copies[0])?.name;
}

/** The number of memories and the size. */
export function contentsOf({ memories, bytes }: BackupRow): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  if (memories === null || memories === undefined) return size;
  if (memories === 0) return `Empty, ${size}`;
  return `${memories === 1 ? "1 memory" : `${memories.toLocaleString()} memories`}, ${size}`;
}
