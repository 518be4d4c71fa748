/** What an agent reads, in words; and how the agents are put in order. */

import type { AgentRow } from "$lib/api/client";

export type Policy = AgentRow["read_policy"];

export interface PolicyText {
  readonly value: Policy;
  readonly label: string;
  readonly meaning: string;
}

export const POLICIES: readonly PolicyText[] = [
  { value: "shared", label: "Shared", meaning: "Reads its own memories and what every agent shares." },
  { value: "group", label: "Group", meaning: "Reads its own memories and what the agents of its group share." },
  { value: "isolated", label: "Isolated", meaning: "Reads its own memories and nothing else." },
];

export function policyOf(agent: AgentRow): PolicyText {
  const found = POLICIES.find((policy) => policy.value === agent.read_policy);
  return found ?? { value: agent.read_policy, label: agent.read_policy, meaning: "" };
}

/** Who is here, the default agent first; then who is archived. */
export function groupAgents(agents: readonly AgentRow[]): { active: AgentRow[]; archived: AgentRow[] } {
  const byName = [...agents].sort((one, other) =>
    one.is_default === other.is_default ? one.name.localeCompare(other.name) : one.is_default ? -1 : 1,
  );
  return {
    active: byName.filter((agent) => agent.archived_at === null),
    archived: byName.filter((agent) => agent.archived_at !== null),
  };
}

/** The names of the groups there are. */
export function groupsOf(agents: readonly AgentRow[]): string[] {
  const names = agents.map((agent) => agent.policy_group).filter((name) => name !== null);
  return [...new Set(names)].sort();
}

/** What is wrong with an id, or nothing. */
export function idProblem(id: string): string {
  if (id === "" || /^[^\s:/\\]{1,128}$/u.test(id)) return "";
  return id.length > 128 ? "At most 128 characters." : "No blanks, colons or slashes.";
}
