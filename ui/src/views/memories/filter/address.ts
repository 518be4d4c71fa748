/** What the page shows, as its address says: `/memories/<id>?q=…&type=…&tag=…&tag=…&when=week`. */

import { BANDS, filtersOf, type Band, type FilterSet, type When } from "$lib/memory/filters";

export interface View extends FilterSet {
  readonly q: string;
  readonly id: string | undefined;
}

const BASE = "/memories";
const WHENS: readonly string[] = ["today", "week", "month"] satisfies When[];
const DAY = /^\d{4}-\d{2}-\d{2}$/u;

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function text(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  return value === null || value === "" ? undefined : value;
}

function day(query: URLSearchParams, name: string): string | undefined {
  const value = text(query, name);
  return value !== undefined && DAY.test(value) ? value : undefined;
}

function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === "1" ? true : value === "0" ? false : undefined;
}

function readFilters(query: URLSearchParams): FilterSet {
  const visibility = query.get("visibility");
  const importance = query.get("importance");
  const when = query.get("when");
  const from = day(query, "from");
  const to = day(query, "to");
  const tags = [...new Set(query.getAll("tag").filter((tag) => tag !== ""))];
  return {
    type: text(query, "type"),
    project: query.get("noproject") === "1" ? null : text(query, "project"),
    agent: text(query, "agent"),
    visibility: visibility === "global" || visibility === "private" ? visibility : undefined,
    who: text(query, "who"),
    tags: tags.length === 0 ? undefined : tags,
    source: text(query, "source"),
    pinned: flag(query, "pinned"),
    importance: importance !== null && Object.hasOwn(BANDS, importance) ? (importance as Band) : undefined,
    when: from === undefined && to === undefined && when !== null && WHENS.includes(when) ? (when as When) : undefined,
    from,
    to,
    session: text(query, "session"),
  };
}

export function readView(path: string, query: URLSearchParams): View {
  const part = path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : "";
  return { ...readFilters(query), q: query.get("q") ?? "", id: part === "" ? undefined : decoded(part) };
}

/** The query of an address: the search and the filters, without what is open. */
export function writeQuery(view: FilterSet & { readonly q: string }): URLSearchParams {
  const query = new URLSearchParams();
  const { tags, project, pinned, ...others } = filtersOf(view);
  if (view.q !== "") query.set("q", view.q);
  if (project === null) query.set("noproject", "1");
  else if (project !== undefined) query.set("project", project);
  for (const [name, value] of Object.entries(others)) {
    if (typeof value === "string" && value !== "") query.set(name, value);
  }
  for (const tag of tags ?? []) query.append("tag", tag);
  if (pinned !== undefined) query.set("pinned", pinned ? "1" : "0");
  return query;
}

export function writeView(view: View): { path: string; query: URLSearchParams } {
  return { path: view.id === undefined ? BASE : `${BASE}/${encodeURIComponent(view.id)}`, query: writeQuery(view) };
}
