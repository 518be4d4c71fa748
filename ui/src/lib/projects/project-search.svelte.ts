/** The projects whose names have some words. */

import { api, type ProjectList } from "$lib/api/client";
import { Resource } from "$lib/state/resource.svelte";

const MOST_FOUND = 50;

export class ProjectSearch extends Resource<ProjectList, string> {
  protected read(signal: AbortSignal, words: string): Promise<ProjectList> {
    return api.projects({ q: words.trim(), limit: MOST_FOUND }, signal);
  }
}
