/** What the page shows, as its address says: `/memories/<id>?q=…&type=…&project=…&agent=…&pinned=1`. */

import type { Filters } from "$lib/api/client";

export interface View extends Filters {
  readonly q: string;
  readonly id: string | undefined;
}

const BASE = "/memories";

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function readVisibility(text: string | null): View["visibility"] {
  return text === "global" || text === "private" ? text : undefined;
}

export function readView(path: string, query: URLSearchParams): View {
  const part = path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : "";
  return {
    q: query.get("q") ?? "",
    id: part === "" ? undefined : decoded(part),
    type: query.get("type") ?? undefined,
    project: query.get("project") ?? undefined,
    pinned: query.get("pinned") === "1" ? true : undefined,
    agent: query.get("agent") ?? undefined,
    visibility: readVisibility(query.get("visibility")),
  };
}

export function writeView(view: View): { path: string; query: URLSearchParams } {
  const query = new URLSearchParams();
  if (view.q !== "") query.set("q", view.q);
  if (view.type !== undefined) query.set("type", view.type);
  if (view.project !== undefined) query.set("project", view.project);
  if (view.pinned === true) query.set("pinned", "1");
  if (view.agent !== undefined) query.set("agent", view.agent);
  if (view.visibility !== undefined) query.set("visibility", view.visibility);
  return { path: view.id === undefined ? BASE : `${BASE}/${encodeURIComponent(view.id)}`, query };
}

export function hasFilter(view: View): boolean {
  const { type, project, pinned, agent, visibility } = view;
  return [type, project, pinned, agent, visibility].some((value) => value !== undefined);
}
