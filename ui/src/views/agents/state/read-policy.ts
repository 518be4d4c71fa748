/** Read policies as text, and the order of agents. */

import type { AgentRow } from "$lib/api/client";

export type Policy = AgentRow["read_policy"];

export interface PolicyText {
  readonly value: Policy;
  readonly label: string;
  readonly meaning: string;
}

export const POLICIES: readonly PolicyText[] = [
  { value: "shared", label: "Shared", meaning: "Reads its own memories and all other agents', except those that only their agent sees." },
  { value: "group", label: "Group", meaning: "Reads its own memories and its group's, except those that only their agent sees." },
  { value: "isolated", label: "Isolated", meaning: "Reads only its own memories." },
];

export function policyOf(agent: AgentRow): PolicyText {
  const found = POLICIES.find((policy) => policy.value === agent.read_policy);
  return found ?? { value: agent.read_policy, label: agent.read_policy, meaning: "" };
}

/** Active and archived agents by name, the default agent first. */
export function groupAgents(agents: readonly AgentRow[]): { active: AgentRow[]; archived: AgentRow[] } {
  const byName = [...agents].sort((one, other) =>
    one.is_default === other.is_default ? one.name.localeCompare(other.name) : one.is_default ? -1 : 1,
  );
  return {
    active: byName.filter((agent) => agent.archived_at === null),
    archived: byName.filter((agent) => agent.archived_at !== null),
  };
}

/** The names of all groups. */
export function groupsOf(agents: readonly AgentRow[]): string[] {
  const names = agents.map((agent) => agent.policy_group).filter((name) => name !== null);
  return [...new Set(names)].sort();
}

/** Why an ID is invalid; empty if it's valid. */
export function idProblem(id: string): string {
  if (id === "" || /^[^\s:/\\]{1,128}$/u.test(id)) return "";
  return id.length > 128 ? "Use at most 128 characters." : "An ID can't contain spaces, colons or slashes.";
}
