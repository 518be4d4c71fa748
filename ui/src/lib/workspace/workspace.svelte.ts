/** The workspace's files and sync targets, kept current. */

import type { ChangeEvent } from "$lib/api/event-stream";
import { workspaceApi, type WorkspaceState } from "$lib/api/workspace";
import { Resource } from "$lib/state/resource.svelte";

const GATHER_MS = 100;

export class Workspace extends Resource<WorkspaceState> {
  protected override readonly resyncMs = GATHER_MS;
  protected override readonly pausesHidden = true;

  protected read(signal: AbortSignal): Promise<WorkspaceState> {
    return workspaceApi.state(signal);
  }

  protected override delay({ topic }: ChangeEvent): number | undefined {
    return topic === "workspace" ? GATHER_MS : undefined;
  }
}

export const workspace = new Workspace();

/** The page of the workspace, or of one of its files. */
export function workspacePath(file?: string): string {
  return file === undefined ? "/connections/workspace" : `/connections/workspace?${new URLSearchParams({ file }).toString()}`;
}
