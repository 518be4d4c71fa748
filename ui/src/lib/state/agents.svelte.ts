/** The list of agents. */

import { api, type AgentRow } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Resource } from "./resource.svelte";

export const DEFAULT_AGENT = "default";
const GATHER_MS = 100;
/** Memories arrive in bursts, and counts may lag a little. */
const COUNTS_MS = 1_000;

/** The agent's name; the default agent has one even if the user gave it none. */
export function displayName({ id, name }: Pick<AgentRow, "id" | "name">): string {
  return id === DEFAULT_AGENT && name === id ? "Default agent" : name;
}

export class Agents extends Resource<readonly AgentRow[]> {
  protected override readonly resyncMs = GATHER_MS;

  get known(): readonly AgentRow[] {
    return this.value ?? [];
  }

  protected read(signal: AbortSignal): Promise<readonly AgentRow[]> {
    return api.agents(signal);
  }

  protected override delay({ topic, what }: ChangeEvent): number | undefined {
    if (topic === "agents") return GATHER_MS;
    return topic === "memory" && what !== "updated" ? COUNTS_MS : undefined;
  }

  /** Take over an agent from a response, without waiting for the change event. */
  take(agent: AgentRow): void {
    const others = this.known.filter((one) => one.id !== agent.id);
    this.set([...others, agent].sort((one, other) => (one.id < other.id ? -1 : 1)));
  }

  nameOf(id: string): string {
    return displayName(this.known.find((agent) => agent.id === id) ?? { id, name: id });
  }
}

/** Whether there is more than the default agent, for the sidebar. */
export class AgentCount extends Resource<number> {
  protected override readonly resyncMs = GATHER_MS;

  /** False until loaded, and while it can't be. */
  get isSeveral(): boolean {
    return (this.value ?? 0) > 1;
  }

  protected async read(signal: AbortSignal): Promise<number> {
    return (await api.agents(signal)).length;
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "agents" ? GATHER_MS : undefined;
  }
}

export const agents = new Agents();
export const agentCount = new AgentCount();
