/** The pages of what calls of language models and jobs are about. */

import type { components } from "$lib/api/schema";

type WorkSubject = components["schemas"]["WorkSubject"];

export function subjectPath({ kind, id }: Pick<WorkSubject, "kind" | "id">): string {
  const views = { memory: "memories", session: "sessions", entity: "entities" };
  return `/${views[kind]}/${encodeURIComponent(id)}`;
}
