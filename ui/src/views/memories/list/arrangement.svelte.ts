/** How the list is sorted and grouped: kept in the URL, and remembered for the next visit. */

import type { GroupHeading } from "$lib/components/list/lines";
import { dayKey, dayLabel } from "$lib/components/time/group-by-day";
import type { ListRow } from "$lib/memory/rows";
import { scopeName, typeOf } from "$lib/memory/types";
import { readLocal, writeLocal } from "$lib/state/local-storage";

const SORT_LABELS = {
  newest: "Newest",
  changed: "Last changed",
  importance: "Importance",
  used: "Most recalled",
} as const;
const GROUP_LABELS = { none: "No groups", project: "Project", type: "Type", day: "Day" } as const;
const STORAGE_KEY = "intaglio.memories.order";

export type Sort = keyof typeof SORT_LABELS;
export type Group = keyof typeof GROUP_LABELS;

export interface Arrangement {
  readonly sort: Sort;
  readonly group: Group;
}

export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
}

const choices = <Value extends string>(labels: Readonly<Record<Value, string>>): readonly Choice<Value>[] =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));

export const SORTS = choices<Sort>(SORT_LABELS);
export const GROUPS = choices<Group>(GROUP_LABELS);
export const NEWEST: Arrangement = { sort: "newest", group: "none" };

/** The times by which a list can be grouped by day. */
const isByTime = (sort: Sort): boolean => sort === "newest" || sort === "changed";

/** Sort differently; an order that isn't by time has no days. */
export function sortedBy({ group }: Arrangement, sort: Sort): Arrangement {
  return { sort, group: group === "day" && !isByTime(sort) ? "none" : group };
}

/** Group differently; days need an order by time. */
export function groupedBy({ sort }: Arrangement, group: Group): Arrangement {
  return { sort: group === "day" && !isByTime(sort) ? "newest" : sort, group };
}

/** What the button shows: "Newest", "Importance by project". */
export function arrangementText({ sort, group }: Arrangement): string {
  return group === "none" ? SORT_LABELS[sort] : `${SORT_LABELS[sort]} by ${GROUP_LABELS[group].toLowerCase()}`;
}

/** Read the arrangement of a URL; what it doesn't say is as remembered. */
export function readArrangement(query: URLSearchParams, remembered: Arrangement): Arrangement {
  const [sort, group] = [query.get("sort"), query.get("group")];
  const named = {
    sort: sort !== null && Object.hasOwn(SORT_LABELS, sort) ? (sort as Sort) : remembered.sort,
    group: group !== null && Object.hasOwn(GROUP_LABELS, group) ? (group as Group) : remembered.group,
  };
  return sortedBy(named, named.sort);
}

export function writeArrangement(query: URLSearchParams, { sort, group }: Arrangement): void {
  if (sort !== NEWEST.sort) query.set("sort", sort);
  if (group !== NEWEST.group) query.set("group", group);
}

/** The parameters of the daemon: groups by day are made here, in the user's time zone. */
export function orderOf({ sort = "newest", group }: Partial<Arrangement>): { sort?: Exclude<Sort, "newest">; group?: "project" | "type" } {
  return { ...(sort === "newest" ? {} : { sort }), ...(group === "project" || group === "type" ? { group } : {}) };
}

/** The headings of the loaded rows. `counts` are the daemon's, by key of the group. */
export function headingsOf(
  rows: readonly ListRow[],
  { sort, group = "none" }: Partial<Arrangement>,
  counts: ReadonlyMap<string, number>,
  isComplete: boolean,
  now: number,
): readonly GroupHeading[] {
  if (group === "none") return [];
  const timeOf = (row: ListRow): string => (sort === "changed" ? (row.updatedAt ?? row.createdAt) : row.createdAt);
  const keyOf = (row: ListRow): string => (group === "day" ? dayKey(timeOf(row)) : (row.group ?? ""));
  const starts: { at: number; value: string; row: ListRow }[] = [];
  rows.forEach((row, at) => {
    const value = keyOf(row);
    if (starts.at(-1)?.value !== value) starts.push({ at, value, row });
  });
  return starts.map(({ at, value: key, row }, index) => {
    const end = starts[index + 1]?.at ?? rows.length;
    // The last loaded day may have more.
    const open = index === starts.length - 1 && !isComplete ? "+" : "";
    const count = group === "day" ? `${(end - at).toLocaleString()}${open}` : (counts.get(key) ?? end - at).toLocaleString();
    const label = group === "day" ? dayLabel(timeOf(row), now) : group === "type" ? typeOf(key).label : scopeName(key === "" ? null : key);
    // A row that changed between two pages may start its group again.
    const isRepeated = starts.findIndex((start) => start.value === key) < index;
    return {
      at,
      key: isRepeated ? `${key}\n${String(at)}` : key,
      label,
      title: group === "project" && key !== label && key !== "" ? key : undefined,
      count,
    };
  });
}

/** The arrangement chosen last, in this browser. */
class Remembered {
  #value = $state.raw(readArrangement(new URLSearchParams(readLocal(STORAGE_KEY) ?? ""), NEWEST));

  get value(): Arrangement {
    return this.#value;
  }

  set value(arrangement: Arrangement) {
    this.#value = arrangement;
    const query = new URLSearchParams();
    writeArrangement(query, arrangement);
    writeLocal(STORAGE_KEY, query.size === 0 ? undefined : query.toString());
  }
}

export const rememberedArrangement = new Remembered();
