/** Restoring an archived agent. */

import { api, type AgentRow } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

/** Restore an archived agent with its memories and read policy; undefined if that failed. */
export async function restoreAgent(agent: AgentRow): Promise<AgentRow | undefined> {
  try {
    const restored = await api.addAgent({ id: agent.id });
    toasts.add(`Restored ${restored.name}.`);
    return restored;
  } catch (thrown) {
    const error = asApiError(thrown);
    toasts.add(`${error.title}. ${error.message}`, { hint: error.hint });
    return undefined;
  }
}
