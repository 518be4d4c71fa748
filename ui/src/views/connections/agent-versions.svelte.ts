/** The versions of the agents that are installed. */

import { api } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

export class AgentVersions extends Resource<Readonly<Record<string, string>>> {
  protected read(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    return api.harnessVersions(signal);
  }
}
