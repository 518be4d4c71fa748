/** Actions on agents, each with Undo. */

import { api, type AddAgent, type AgentRow, type ChangeAgent } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import { agents } from "$lib/state/agents.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { ChangedSinceError, offerUndo } from "$lib/state/undo";

/** The user-editable fields, for comparison: other fields change with use. */
function settingsOf(agent: AgentRow): string {
  const { name, description, read_policy, policy_group, archived_at } = agent;
  return JSON.stringify([name, description, read_policy, policy_group, archived_at !== null]);
}

/** Offer to undo a change of an agent, unless it changed again; agents have no versions. */
function offer(made: AgentRow, text: string, back: () => Promise<AgentRow>): AgentRow {
  const undo = async (): Promise<void> => {
    const now = (await api.agents()).find((agent) => agent.id === made.id);
    if (now === undefined || settingsOf(now) !== settingsOf(made)) throw new ChangedSinceError();
    agents.take(await back());
  };
  offerUndo({ text, undo });
  return made;
}

function changeTo({ name, description, read_policy, policy_group }: AgentRow): ChangeAgent {
  return { name, read_policy, description: description ?? "", policy_group: policy_group ?? "" };
}

/** Add an agent. Undo archives it, since agents can't be deleted, unless it existed before. */
export async function addAgent(agent: AddAgent): Promise<AgentRow> {
  const former = agents.known.find((one) => one.id === agent.id);
  const made = await api.addAgent(agent);
  return offer(made, `${made.name} added.`, async () => {
    const back = former === undefined ? made : await api.changeAgent(made.id, changeTo(former));
    return former?.archived_at === null ? back : api.archiveAgent(made.id);
  });
}

export async function changeAgent(former: AgentRow, change: ChangeAgent): Promise<AgentRow> {
  const made = await api.changeAgent(former.id, change);
  if (settingsOf(made) === settingsOf(former)) {
    toasts.add("Nothing changed.");
    return made;
  }
  return offer(made, `${made.name} changed.`, () => api.changeAgent(former.id, changeTo(former)));
}

export async function archiveAgent(agent: AgentRow): Promise<AgentRow> {
  const made = await api.archiveAgent(agent.id);
  return offer(made, `${made.name} archived.`, () => api.addAgent({ id: agent.id }));
}

/** Restore an archived agent with its memories and read policy; undefined if that fails. */
export async function restoreAgent(agent: AgentRow): Promise<AgentRow | undefined> {
  try {
    const made = await api.addAgent({ id: agent.id });
    return offer(made, `${made.name} restored, with its memories.`, () => api.archiveAgent(agent.id));
  } catch (thrown) {
    const error = asApiError(thrown);
    toasts.add(`${error.title}. ${error.message}`, { hint: error.hint });
    return undefined;
  }
}
