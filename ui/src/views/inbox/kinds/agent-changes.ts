/** All that an agent changed in a session. */

import Bot from "@lucide/svelte/icons/bot";
import Check from "@lucide/svelte/icons/check";
import Undo from "@lucide/svelte/icons/undo-2";

import AgentChanges from "./AgentChanges.svelte";
import type { Kind } from "./kind";

export const AGENT_CHANGES: Kind = {
  kind: "agent_changes",
  plural: "Changes by agents",
  icon: () => Bot,
  label: () => "Changes by an agent",
  agentHeading: "The agent's reason",
  choices: [
    { id: "keepChanges", action: "keep_changes", keys: ["c"], label: "Keep the changes", icon: Check, words: "accept" },
    {
      id: "undoChanges",
      action: "undo_changes",
      keys: ["z"],
      label: "Undo all changes",
      icon: Undo,
      isPrimary: true,
      words: "restore revert",
    },
  ],
  outcomes: {
    keep_changes: { said: () => "Kept the agent's changes.", short: "Kept", full: "Kept the changes" },
    undo_changes: { said: () => "Undid the agent's changes.", short: "Undone", full: "Undid the changes" },
  },
  detail: AgentChanges,
};
