/** The Memories view as a URL: `/memories/<id>?q=…&type=…&tag=…&tag=…&when=week`. */

import { GLOBAL, PRIVATE, STATUSES } from "$lib/memory/filter-table";
import { nameIn, writeFilters } from "$lib/memory/filter-query";
import { BANDS, PLAIN, type Band, type Field, type FilterSet, type PlainValue, type When } from "$lib/memory/filters";

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

export function writeView(view: View): { path: string; query: URLSearchParams } {
  const query = writeFilters(view);
  writeArrangement(query, view);
  return { path: view.id === undefined ? BASE : `${BASE}/${encodeURIComponent(view.id)}`, query };
}
