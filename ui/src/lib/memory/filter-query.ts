/** The search and filters of memories as the query of the Memories view: `q=…&type=…&tag=…&tag=…`. */

import { filtersOf, PLAIN, type FilterSet, type PlainValue } from "./filters";

/** The query parameter of a field: `tag` is repeated for each tag. */
export const nameIn = (field: string): string => (field === "tags" ? "tag" : field);

function writePlain(query: URLSearchParams, field: string, value: PlainValue): void {
  const name = nameIn(field);
  if (typeof value === "boolean") query.set(name, value ? "1" : "0");
  else if (typeof value === "object") for (const one of value) query.append(name, one);
  else if (value !== undefined && value !== "") query.set(name, String(value));
}

/** The search and filters as a query, without the open memory. */
export function writeFilters(view: FilterSet & { readonly q: string }): URLSearchParams {
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
