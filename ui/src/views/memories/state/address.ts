/** What the page shows, as its address says: `/memories/<id>?q=…&type=…&project=…&pinned=1`. */

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

export function readView(path: string, query: URLSearchParams): View {
  const part = path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : "";
  return {
    q: query.get("q") ?? "",
    id: part === "" ? undefined : decoded(part),
    type: query.get("type") ?? undefined,
    project: query.get("project") ?? undefined,
    pinned: query.get("pinned") === "1" ? true : undefined,
  };
}

export function writeView(view: View): { path: string; query: URLSearchParams } {
  const query = new URLSearchParams();
  if (view.q !== "") query.set("q", view.q);
  if (view.type !== undefined) query.set("type", view.type);
  if (view.project !== undefined) query.set("project", view.project);
  if (view.pinned === true) query.set("pinned", "1");
  return { path: view.id === undefined ? BASE : `${BASE}/${encodeURIComponent(view.id)}`, query };
}

export function hasFilter(view: View): boolean {
  return view.type !== undefined || view.project !== undefined || view.pinned !== undefined;
}
