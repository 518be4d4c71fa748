/** The projects used last, for the sidebar and the pages that list them. */

import { api, type ProjectList } from "$lib/api/client";
import type { ChangeEvent } from "$lib/api/event-stream";

import { Resource } from "$lib/state/resource.svelte";

import { noteNames } from "./given-names.svelte";

/** Memories arrive in bursts, and counts may lag a little. */
const COUNTS_MS = 1_000;
const MOST_PROJECTS = 50;

/** The first page of all projects, the most recently active first. */
export class RecentProjects extends Resource<ProjectList> {
  protected override readonly resyncMs = COUNTS_MS;
  protected override readonly pausesHidden = true;

  protected async read(signal: AbortSignal): Promise<ProjectList> {
    const list = await api.projects({ limit: MOST_PROJECTS }, signal);
    noteNames(list.projects);
    return list;
  }

  protected override delay({ topic, what }: ChangeEvent): number | undefined {
    if (topic === "projects") return 0;
    if (topic === "memory" && what === "updated") return undefined;
    // A harness is updated by each event of a session.
    return topic === "memory" || topic === "inbox" || topic === "harnesses" ? COUNTS_MS : undefined;
  }
}

export const projects = new RecentProjects();

/** Whether the query of a page asks for what applies to all projects. */
export function asksForGlobal(query: URLSearchParams): boolean {
  return ["1", "true"].includes(query.get("global") ?? "");
}

/** The address of a project's page; null is what applies to all projects. */
export function projectPath(key: string | null): string {
  const query = key === null ? { global: "1" } : { project: key };
  return `/projects/detail?${new URLSearchParams(query).toString()}`;
}
