/** The commands that connect and disconnect each agent. */

import type { ConnectionChange, HarnessRow } from "$lib/api/client";
import type { Shortcut } from "$lib/keys/registry.svelte";

import { connectionDialog } from "./connection-dialog.svelte";

const LABELS: Record<ConnectionChange, string> = { connect: "Connect", disconnect: "Disconnect" };

export function connectionCommands(rows: readonly HarnessRow[]): Shortcut[] {
  return rows.flatMap((row) => {
    const changes: ConnectionChange[] = [];
    if (row.connection !== "connected") changes.push("connect");
    if (row.connection === "connected" || row.connection === "partly") changes.push("disconnect");
    return changes.map((change) => ({
      id: `connection.${change}.${row.id}`,
      keys: [],
      label: `${LABELS[change]} ${row.name}`,
      group: "General",
      words: "agent harness hooks setup install settings",
      run: () => void connectionDialog.open(row, change),
    }));
  });
}
