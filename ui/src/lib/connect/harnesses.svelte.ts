/** The agents that the daemon can connect on this computer. */

import { api, type HarnessRow, type McpEndpoints } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 100;

export class Harnesses extends Resource<readonly HarnessRow[]> {
  protected override readonly resyncMs = GATHER_MS;

  /** How any other MCP client reaches Intaglio. */
  mcp = $state.raw<McpEndpoints>();

  /** No agent has sent an event yet; undefined until that is known. */
  get isFirstRun(): boolean | undefined {
    return this.value?.every((row) => row.lastSeen === null);
  }

  /** No agent is connected; undefined until that is known. */
  get isUnconnected(): boolean | undefined {
    return this.value?.every((row) => row.connection !== "connected" && row.connection !== "partly");
  }

  protected async read(signal: AbortSignal): Promise<readonly HarnessRow[]> {
    const { harnesses: rows, mcp } = await api.harnesses(signal);
    this.mcp = mcp;
    return rows;
  }

  /** Each hook sends a change event. */
  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "harnesses" ? GATHER_MS : undefined;
  }
}

export const harnesses = new Harnesses();
