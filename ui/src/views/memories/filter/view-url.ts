/** The Memories view as a URL: `/memories/<id>?q=…&type=…&tag=…&tag=…&when=week`. */

import { GLOBAL, PRIVATE, STATUSES } from "$lib/memory/filter-table";
import { BANDS, filtersOf, PLAIN, type Band, type Field, type FilterSet, type PlainValue, type When } from "$lib/memory/filters";

import { NEWEST, readArrangement, writeArrangement, type Arrangement } from "../list/arrangement.svelte";

export interface View extends FilterSet, Arrangement {
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

function share(query: URLSearchParams, name: string): number | undefined {
  const value = Number(text(query, name));
  return value >= 0 && value <= 1 ? value : undefined;
}

function moment(query: URLSearchParams, name: string): string | undefined {
  const value = text(query, name);
  return value === undefined || Number.isNaN(Date.parse(value)) ? undefined : value;
}

/** The query parameter of a field: `tag` is repeated for each tag. */
const nameIn = (name: string): string => (name === "tags" ? "tag" : name);

function readPlain(query: URLSearchParams, { name: field, kind }: Field): PlainValue {
  const name = nameIn(field);
  switch (kind) {
    case "text":
    case "path":
      return text(query, name);
    case "flag":
      return flag(query, name);
    case "share":
      return share(query, name);
    case "moment":
      return moment(query, name);
    case "visibility": {
      const value = query.get(name);
      return value === GLOBAL || value === PRIVATE ? value : undefined;
    }
    case "status":
      return STATUSES.find((one) => one === query.get(name));
    case "tags": {
      const values = [...new Set(query.getAll(name).filter((value) => value !== ""))];
      return values.length === 0 ? undefined : values;
    }
  }
}

function writePlain(query: URLSearchParams, field: string, value: PlainValue): void {
  const name = nameIn(field);
  if (typeof value === "boolean") query.set(name, value ? "1" : "0");
  else if (typeof value === "object") for (const one of value) query.append(name, one);
  else if (value !== undefined && value !== "") query.set(name, String(value));
}

function readFilters(query: URLSearchParams): FilterSet {
  const importance = query.get("importance");
  const when = query.get("when");
  const from = day(query, "from");
  const to = day(query, "to");
  const plain: FilterSet = Object.fromEntries(PLAIN.map((field) => [field.name, readPlain(query, field)]));
  return {
    ...plain,
    project: query.get("noproject") === "1" ? null : text(query, "project"),
    importance: importance !== null && Object.hasOwn(BANDS, importance) ? (importance as Band) : undefined,
    when: from === undefined && to === undefined && when !== null && WHENS.includes(when) ? (when as When) : undefined,
    from,
    to,
  };
}

/** Read a view; an order that the URL doesn't say is as remembered. */
export function readView(path: string, query: URLSearchParams, remembered = NEWEST): View {
  const part = path.startsWith(`${BASE}/`) ? path.slice(BASE.length + 1) : "";
  return {
    ...readFilters(query),
    ...readArrangement(query, remembered),
    q: query.get("q") ?? "",
    id: part === "" ? undefined : decoded(part),
  };
}

/** The search and filters as a query, without the open memory. */
export function writeQuery(view: FilterSet & { readonly q: string }): URLSearchParams {
  const query = new URLSearchParams();
  const filters = filtersOf(view);
  const { project, importance, when, from, to } = filters;
  if (view.q !== "") query.set("q", view.q);
  if (project === null) query.set("noproject", "1");
  else if (project !== undefined) query.set("project", project);
  for (const { name } of PLAIN) writePlain(query, name, filters[name]);
  for (const [name, value] of Object.entries({ importance, when, from, to })) writePlain(query, name, value);
  return query;
}

export function writeView(view: View): { path: string; query: URLSearchParams } {
  const query = writeQuery(view);
  writeArrangement(query, view);
  return { path: view.id === undefined ? BASE : `${BASE}/${encodeURIComponent(view.id)}`, query };
}
