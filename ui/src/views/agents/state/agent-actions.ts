/** What a person does with an agent; each with its way back. */

import { api, type AddAgent, type AgentRow, type ChangeAgent } from "$lib/api/client";
import { asApiError } from "$lib/api/errors";
import { agents } from "$lib/state/agents.svelte";
import { toasts } from "$lib/state/toasts.svelte";
import { ChangedSinceError, offerUndo } from "$lib/state/undo";

/** All that a person sets, to compare: it may have been used since. */
function settingsOf(agent: AgentRow): string {
  const { name, description, read_policy, policy_group, archived_at } = agent;
  return JSON.stringify([name, description, read_policy, policy_group, archived_at !== null]);
}

/** Offer to undo what made an agent this one, as long as it is so still. The daemon knows no versions of agents. */
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

/** Add an agent. The daemon deletes none: what undoes it is to archive it, unless it had been seen before. */
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

/** Restore an archived agent with its memories and its policy; undefined where that is refused. */
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
