/** Who saved a memory. */

import type { MemoryRow } from "$lib/api/client";

import { harnessName } from "./harness-name";

/** The source of what agents store by themselves. */
const AGENT_SOURCE = "agent";
/** The source, and the author, of what was read in a file. */
const FILE = "file";
/** The author of what the user kept in the inbox. */
const USER = "user";

/** Whether an agent saved it by itself, or claimed it. */
export function isByAgent({ source_type }: Pick<MemoryRow, "source_type">): boolean {
  return source_type === AGENT_SOURCE;
}

/** Who saved it, as the beginning of a sentence. */
export function savedBy(row: Pick<MemoryRow, "source_type" | "who">): string {
  if (row.source_type === FILE)
    return row.who === FILE ? "Read in a file" : `Read in a file, kept by ${row.who === USER ? "you" : row.who}`;
  if (!isByAgent(row)) return `Saved by ${row.who}`;
  return row.who === USER ? "Claimed by the agent, kept by you" : `Saved by the agent (${harnessName(row.who)})`;
}
