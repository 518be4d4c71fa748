/** The groups that points are coloured by: their colours, shapes and counts, as the legend lists them. */

import { AGES, ageStep, shapeOf, type Palette } from "$lib/constellation/palette";
import { HIDDEN, SHAPES, type StarMap } from "$lib/constellation/values";
import { MEMORY_TYPES } from "$lib/memory/filter-table";
import { projectName, scopeName, typeOf } from "$lib/memory/types";

import { CHANGES, differenceOf, type TimeView } from "../time/time-view";
import type { Colouring } from "./constellation-url";

export interface Group {
  /** What the address calls it. */
  readonly value: string;
  readonly label: string;
  /** How many of the points that aren't left out are in it. */
  readonly count: number;
  /** An index in the palette, and one in `SHAPES`. */
  readonly colour: number;
  readonly shape: number;
}

export interface Grouping {
  /** Those that have points, as the legend lists them. */
  readonly groups: readonly Group[];
  /** The group of each point, as an index in `all`. */
  readonly of: Uint8Array;
  readonly all: readonly Group[];
  readonly palette: readonly string[];
}

export interface GroupNames {
  readonly agent: (id: string) => string;
}

/** The last number of a full table: one of the values that it has no room for. */
const REST = 255;
/** More groups than these share the last one. */
const MOST_GROUPS = 16;
/** The value of what the other groups leave, and of what belongs to none. */
const OTHER = "*";
export const NONE = "none";

/** A group before its points are counted; `rank` decides on its colour and shape, undefined for the neutral ones. */
interface Draft {
  readonly value: string;
  readonly label: string;
  readonly rank: number | undefined;
}

/** A name of the daemon's as people read it. */
function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/gu, " ");
}

/** Number the points' groups by a column that refers to a table. */
function byTable(
  column: Uint8Array,
  drafts: readonly Draft[],
  base: Uint8Array,
  isRanked: boolean,
): { of: Uint8Array; drafts: readonly Draft[] } {
  const counts = new Uint32Array(REST + 1);
  column.forEach((value, index) => {
    if (base[index] !== HIDDEN) counts[value] = (counts[value] ?? 0) + 1;
  });
  const named = [...drafts.keys()].filter((value) => drafts[value]?.rank !== undefined);
  const bySize = named.toSorted((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0) || one - other);
  const ranked = isRanked ? named.toSorted((one, other) => (drafts[one]?.rank ?? 0) - (drafts[other]?.rank ?? 0)) : bySize;
  const own = ranked.filter((value) => isRanked || (counts[value] ?? 0) > 0).slice(0, MOST_GROUPS);
  const none = [...drafts.keys()].filter((value) => drafts[value]?.rank === undefined);
  const listed = [...own, ...none];
  const groupOf = new Uint8Array(REST + 1).fill(listed.length);
  listed.forEach((value, group) => {
    groupOf[value] = group;
  });
  const groups = listed.map((value, group): Draft => {
    const draft = drafts[value] ?? { value: OTHER, label: "", rank: undefined };
    return { ...draft, rank: draft.rank === undefined ? undefined : isRanked ? draft.rank : group };
  });
  return { of: column.map((value) => groupOf[value] ?? 0), drafts: [...groups, { value: OTHER, label: "Other", rank: undefined }] };
}

function draftsOf(map: StarMap, colouring: Exclude<Colouring, "age">, names: GroupNames): { column: Uint8Array; drafts: readonly Draft[] } {
  const each = (values: readonly string[], label: (value: string) => string): Draft[] =>
    values.map((value, rank) => ({ value, label: label(value), rank }));
  switch (colouring) {
    case "type": {
      const order = (value: string): number => {
        const at = (MEMORY_TYPES as readonly string[]).indexOf(value);
        return at < 0 ? MEMORY_TYPES.length : at;
      };
      return { column: map.type, drafts: map.types.map((value) => ({ value, label: typeOf(value).label, rank: order(value) })) };
    }
    case "project":
      return {
        column: map.project,
        drafts: map.projects.map((value, rank) =>
          value === null ? { value: NONE, label: scopeName(null), rank: undefined } : { value, label: projectName(value), rank },
        ),
      };
    case "entity":
      return {
        column: map.entity,
        drafts: [
          { value: NONE, label: "No entity", rank: undefined },
          ...map.entities.map(({ id, name }, rank) => ({ value: id, label: name, rank })),
        ],
      };
    case "origin":
      return { column: map.origin, drafts: each(map.origins, capitalized) };
    case "agent":
      return { column: map.agent, drafts: each(map.agents, names.agent) };
  }
}

function counted(drafts: readonly Group[], of: Uint8Array, base: Uint8Array, palette: readonly string[]): Grouping {
  const counts = new Uint32Array(drafts.length);
  of.forEach((group, index) => {
    if (base[index] !== HIDDEN) counts[group] = (counts[group] ?? 0) + 1;
  });
  const all = drafts.map((group, index) => ({ ...group, count: counts[index] ?? 0 }));
  return { groups: all.filter(({ count }) => count > 0), of, all, palette };
}

const shapeIndex = (rank: number): number => SHAPES.indexOf(shapeOf(rank));

/** By the age that memories have on a day; newest first. */
function byAge(map: StarMap, base: Uint8Array, palette: Palette, today: number): Grouping {
  const newest = AGES.length - 1;
  const of = map.created.map((day) => newest - ageStep(Math.max(0, today - day)));
  const drafts = AGES.toReversed().map(({ label }, index) => ({
    value: String(index),
    label,
    count: 0,
    colour: newest - index,
    shape: shapeIndex(index),
  }));
  return counted(drafts, Uint8Array.from(of), base, palette.ages);
}

/** By what became of memories between two days; the rest is unchanged. */
function byChange(map: StarMap, base: Uint8Array, palette: Palette, from: number, to: number): Grouping {
  const rest = { value: OTHER, label: "Unchanged", count: 0, colour: 0, shape: 0 };
  const drafts = [
    ...CHANGES.map(({ name, shape }, index) => ({
      value: name,
      label: capitalized(name),
      count: 0,
      colour: index + 1,
      shape: SHAPES.indexOf(shape),
    })),
    rest,
  ];
  const groupOf = (change: number): number => {
    const at = CHANGES.findIndex((one) => one.change === change);
    return at < 0 ? CHANGES.length : at;
  };
  const of = differenceOf(map, from, to).change.map(groupOf);
  return counted(drafts, of, base, [palette.other, ...CHANGES.map(({ colour }) => palette[colour])]);
}

/** `base` is what is drawn of the points before the legend leaves out any; `time` decides what a difference is coloured by. */
export function groupingOf(
  map: StarMap,
  colouring: Colouring,
  base: Uint8Array,
  { palette, time, today, names }: { palette: Palette; time: TimeView; today: number; names: GroupNames },
): Grouping {
  if (time.kind === "difference") return byChange(map, base, palette, time.from, time.to);
  if (colouring === "age") return byAge(map, base, palette, time.kind === "asOf" ? time.day : today);
  const { column, drafts } = draftsOf(map, colouring, names);
  const groups = byTable(column, drafts, base, colouring === "type");
  const neutral = palette.categories.length;
  const coloured = groups.drafts.map(({ value, label, rank }) => ({
    value,
    label,
    count: 0,
    colour: rank === undefined ? neutral : rank % palette.categories.length,
    shape: shapeIndex(rank ?? (value === OTHER ? 1 : 0)),
  }));
  return counted(coloured, groups.of, base, [...palette.categories, palette.other]);
}
