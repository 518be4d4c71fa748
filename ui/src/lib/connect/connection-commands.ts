/** The commands that connect and disconnect each agent. */

import type { ConnectionChange, HarnessRow } from "$lib/api/client";
import type { Shortcut } from "$lib/keys/registry.svelte";

import { connectionDialog } from "./connection-dialog.svelte";
import { isRemovable } from "./connection-text";

const LABELS: Record<ConnectionChange, string> = { connect: "Connect", disconnect: "Disconnect" };
const WITHOUT_TOOLS: readonly HarnessRow["tools"][] = ["missing", "outdated", "declined"];

export function connectionCommands(rows: readonly HarnessRow[]): Shortcut[] {
  return rows.flatMap((row) => {
    const changes: ConnectionChange[] = [];
    if (row.connection !== "connected") changes.push("connect");
    if (isRemovable(row)) changes.push("disconnect");
    const commands = changes.map((change) =>
      command(`${change}.${row.id}`, `${LABELS[change]} ${row.name}`, () => connectionDialog.open(row, change)),
    );
    if (row.connection === "connected" && WITHOUT_TOOLS.includes(row.tools)) {
      commands.push(command(`tools.${row.id}`, `Register the tools of ${row.name}`, () => connectionDialog.open(row, "connect", true)));
    }
    return commands;
  });
}

function command(id: string, label: string, open: () => Promise<boolean>): Shortcut {
  return {
    id: `connection.${id}`,
    keys: [],
    label,
    group: "General",
    words: "agent harness hooks setup install settings mcp tools",
    run: () => void open(),
  };
}
