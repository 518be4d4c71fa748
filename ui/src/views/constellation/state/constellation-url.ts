/** The state of the Constellation page as a URL: `/constellation?project=…&colour=age&d=3&cam=…&m=…`. */

import type { Camera } from "$lib/constellation/values";
import { flag, oneOf, text, urlFilters, words, type Field } from "$lib/list/url-filters";

import { timeOf, timeQuery } from "../time/time-query";
import type { TimeView } from "../time/time-view";

export const CONSTELLATION_PATH = "/constellation";

export const COLOURINGS = ["type", "project", "age", "entity", "origin", "agent"] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** Told to sessions outside of projects; a project's key is a path. */
export const NO_PROJECT = "none";

/** Groups by their values: some are left out, or all but some. */
export interface GroupFilter {
  readonly kind: "without" | "only";
  readonly values: readonly string[];
}

export const ALL_GROUPS: GroupFilter = { kind: "without", values: [] };

/** Leave out a group that is shown, or show it again. */
export function toggledGroup({ kind, values }: GroupFilter, value: string): GroupFilter {
  const others = values.filter((one) => one !== value);
  const next = others.length === values.length ? [...values, value] : others;
  return kind === "only" && next.length === 0 ? ALL_GROUPS : { kind, values: next };
}

/** Leave out all groups but one, or show all again. */
export function isolatedGroup(filter: GroupFilter, value: string): GroupFilter {
  return isAlone(filter, value) ? ALL_GROUPS : { kind: "only", values: [value] };
}

/** Whether a group is shown alone. */
export function isAlone({ kind, values }: GroupFilter, value: string): boolean {
  return kind === "only" && values.length === 1 && values[0] === value;
}

export function isLeftOut({ kind, values }: GroupFilter, value: string): boolean {
  return values.includes(value) === (kind === "without");
}

export interface MapView {
  /** The scope: a project's own memories, an agent's, or all. */
  readonly project: string | undefined;
  readonly agent: string | undefined;
  readonly colour: Colouring;
  /** What the legend leaves out of the groups of the colouring. */
  readonly groups: GroupFilter;
  readonly dimensions: 2 | 3;
  /** Where the map is seen from; undefined: all of it. */
  readonly camera: Camera | undefined;
  readonly q: string;
  /** The project whose next session's memories are lit, or `NO_PROJECT`. */
  readonly told: string | undefined;
  /** The entity whose memories are lit. */
  readonly entity: string | undefined;
  /** The time that is shown. */
  readonly time: TimeView;
  /** The open memory. */
  readonly memory: string | undefined;
  /** The list takes the place of the details. */
  readonly isListed: boolean;
}

const colour: Field<Colouring> = {
  none: "type",
  read: (query, name) => COLOURINGS.find((one) => one === query.get(name)) ?? "type",
  write: (query, name, value) => {
    if (value !== "type") query.set(name, value);
  },
};

const several: Field<readonly string[]> = {
  none: [],
  read: (query, name) => query.getAll(name),
  write: (query, name, values) => {
    for (const value of values) query.append(name, value);
  },
};

const FLAT = 3;
const SPATIAL = 6;
const rounded = (value: number): string => String(Math.round(value * 100) / 100);

/** A camera as numbers: x, y and zoom, in three dimensions x, y, z, zoom, azimuth and elevation. */
function cameraText({ dimensions, x, y, z, zoom, azimuth, elevation }: Camera): string {
  const numbers = dimensions === 2 ? [x, y, zoom] : [x, y, z, zoom, azimuth, elevation];
  return numbers.map(rounded).join(",");
}

function cameraOf(written: string): Camera | undefined {
  const numbers = written.split(",").map(Number);
  if (numbers.some((value) => !Number.isFinite(value))) return undefined;
  const [x = 0, y = 0, third = 0, zoom = 0, azimuth = 0, elevation = 0] = numbers;
  if (numbers.length === FLAT && third > 0) return { dimensions: 2, x, y, z: 0, zoom: third, azimuth: 0, elevation: 0 };
  if (numbers.length === SPATIAL && zoom > 0) return { dimensions: 3, x, y, z: third, zoom, azimuth, elevation };
  return undefined;
}

const camera: Field<Camera | undefined> = {
  none: undefined,
  read: (query, name) => cameraOf(query.get(name) ?? ""),
  write: (query, name, value) => {
    if (value !== undefined) query.set(name, cameraText(value));
  },
};

interface Parameters {
  readonly project: string | undefined;
  readonly agent: string | undefined;
  readonly colour: Colouring;
  readonly hide: readonly string[];
  readonly only: readonly string[];
  readonly d: "3" | undefined;
  readonly cam: Camera | undefined;
  readonly q: string;
  readonly told: string | undefined;
  readonly entity: string | undefined;
  readonly m: string | undefined;
  readonly list: boolean;
}

const PARAMETERS = urlFilters<Parameters>({
  project: text,
  agent: text,
  colour,
  hide: several,
  only: several,
  d: oneOf(["3"]),
  cam: camera,
  q: words,
  told: text,
  entity: text,
  m: text,
  list: flag,
});

export function readMapView(query: URLSearchParams): MapView {
  const { hide, only, d, cam, m, list, agent, ...same } = PARAMETERS.read(query);
  return {
    ...same,
    // A map is of a project or of an agent.
    agent: same.project === undefined ? agent : undefined,
    groups: only.length > 0 ? { kind: "only", values: only } : { kind: "without", values: hide },
    dimensions: d === "3" ? 3 : 2,
    camera: cam,
    memory: m,
    isListed: list,
    time: timeOf(query),
  };
}

export function writeMapView({ groups, dimensions, camera: cam, memory, isListed, time, ...same }: MapView): URLSearchParams {
  const query = PARAMETERS.write({
    ...same,
    hide: groups.kind === "without" ? groups.values : [],
    only: groups.kind === "only" ? groups.values : [],
    d: dimensions === 3 ? "3" : undefined,
    cam,
    m: memory,
    list: isListed,
  });
  for (const [name, value] of Object.entries(timeQuery(time))) query.set(name, value);
  return query;
}
