/** How far a new installation is on the way to the first memory that a session is told. */

import type { HarnessRow, SessionRow } from "$lib/api/client";
import { isRemovable } from "$lib/connect/connection-text";

const LIST = new Intl.ListFormat("en", { type: "disjunction" });

export interface Milestones {
  readonly isConnected: boolean;
  /** An event of a session has arrived. */
  readonly isStarted: boolean;
  /** Something is stored. */
  readonly isKept: boolean;
  /** A session was told a memory. */
  readonly isTold: boolean;
  /** The agents to start a session in: the connected ones, else those on this computer. */
  readonly agents: string;
}

export function milestonesOf(rows: readonly HarnessRow[], sessions: readonly SessionRow[], memories: number): Milestones {
  const connected = rows.filter(isRemovable);
  const named = (connected.length > 0 ? connected : rows.filter((row) => row.exists)).map(({ name }) => name);
  const isStarted = rows.some((row) => row.lastSeen !== null);
  const isTold = sessions.some(({ told }) => told > 0);
  return {
    isConnected: connected.length > 0 || isStarted,
    isStarted: isStarted || isTold,
    isKept: memories > 0 || isTold,
    isTold,
    agents: named.length > 0 ? LIST.format(named) : "your agent",
  };
}
