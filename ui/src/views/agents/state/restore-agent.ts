/** What can be done with an agent, with the note that says so. */

import { api, type AgentRow } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import { toasts } from "$lib/state/toasts.svelte";

/** Bring an archived agent back with its memories and its policy. */
export async function restoreAgent(agent: AgentRow): Promise<AgentRow | undefined> {
  try {
    const back = await api.addAgent({ id: agent.id });
    toasts.add(`${back.name} is back, with its memories.`);
    return back;
  } catch (thrown) {
    const error = asApiError(thrown);
    toasts.add(`${error.title}. ${error.message}`, { hint: error.hint });
    return undefined;
  }
}
