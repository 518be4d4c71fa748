/**
 * The mathematics of the view. In two dimensions it looks down the z axis, without perspective; in three it turns
 * about the point at the centre. `morph` blends both, positions included, so one projection serves them all.
 */

import type { Camera, StarMap } from "./values";

/** Coordinates of a map are within [-EXTENT, EXTENT]. */
export const EXTENT = 210;

export const ZOOM_LIMITS = [0.5, 64] as const;
/** Of the window, what a fitted view leaves free on each side. */
const MARGIN = 0.06;
/** A fitted view of few points goes no closer. */
const FIT_ZOOM_LIMIT = 12;
/** Where the eye is at a zoom of 1. */
const EYE_DISTANCE = 3 * EXTENT;
/** Points nearer to the eye than this share of its distance aren't drawn. */
export const NEAREST = 0.15;
const RADIANS_PER_PIXEL = 0.006;

export interface View {
  readonly camera: Camera;
  /** 0: in two dimensions; 1: in three. */
  readonly morph: number;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
}

type Triple = readonly [number, number, number];

/** How places become pixels: `right`, `up` and `towards` the eye are unit vectors of the map. */
export interface Projection {
  readonly centre: Triple;
  readonly right: Triple;
  readonly up: Triple;
  readonly towards: Triple;
  /** Pixels per unit of the map, where the centre is. */
  readonly scale: number;
  /** How much nearer the eye each unit towards it is, as a share of the distance. */
  readonly perspective: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels per unit of the map at a zoom of 1. */
function unitScale(width: number, height: number): number {
  return Math.max(1e-3, (Math.min(width, height) * (1 - 2 * MARGIN)) / (2 * EXTENT));
}

export function projectionOf({ camera, morph, width, height }: View): Projection {
  const [azimuth, elevation] = [morph * camera.azimuth, morph * camera.elevation];
  const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
  return {
    centre: [camera.x, camera.y, morph * camera.z],
    right: [ca, 0, sa],
    up: [se * sa, ce, -se * ca],
    towards: [-ce * sa, se, ce * ca],
    scale: unitScale(width, height) * camera.zoom,
    perspective: (morph * camera.zoom) / EYE_DISTANCE,
    width,
    height,
  };
}

function along(direction: Triple, x: number, y: number, z: number): number {
  return direction[0] * x + direction[1] * y + direction[2] * z;
}

/** A place in pixels from the top left; undefined behind the eye or too near to it. */
export function project(projection: Projection, x: number, y: number, z: number): readonly [number, number] | undefined {
  const [dx, dy, dz] = [x - projection.centre[0], y - projection.centre[1], z - projection.centre[2]];
  const distance = 1 - projection.perspective * along(projection.towards, dx, dy, dz);
  if (distance < NEAREST) return undefined;
  const scale = projection.scale / distance;
  return [
    projection.width / 2 + scale * along(projection.right, dx, dy, dz),
    projection.height / 2 - scale * along(projection.up, dx, dy, dz),
  ];
}

/** The projection as a matrix for clip space, by column; every point has the same depth there. */
export function clipMatrix({ centre, right, up, towards, scale, perspective, width, height }: Projection): number[] {
  const rows = [
    right.map((value) => (2 * scale * value) / width),
    up.map((value) => (2 * scale * value) / height),
    [0, 0, 0],
    towards.map((value) => -perspective * value),
  ];
  const columns = [0, 1, 2].flatMap((axis) => rows.map((row) => row[axis] ?? 0));
  const shift = rows.map((row) => -along([row[0] ?? 0, row[1] ?? 0, row[2] ?? 0], ...centre));
  return [...columns, shift[0] ?? 0, shift[1] ?? 0, 0, 1 + (shift[3] ?? 0)];
}

/** The place of a point between both layouts. */
export function placeAt(map: StarMap, index: number, morph: number): Triple {
  const [x, y] = [map.xy[2 * index] ?? 0, map.xy[2 * index + 1] ?? 0];
  const { xyz } = map;
  if (xyz === undefined || morph === 0) return [x, y, 0];
  const [x3, y3, z3] = [xyz[3 * index] ?? 0, xyz[3 * index + 1] ?? 0, xyz[3 * index + 2] ?? 0];
  return [x + morph * (x3 - x), y + morph * (y3 - y), morph * z3];
}

/** What `projectAll` writes: two pixels, and the distance from the eye, 1 at the centre; NaN where not in view. */
export const PROJECTED = 3;

/** Project every point; written without objects, since it runs for each frame in three dimensions. */
export function projectAll(projection: Projection, map: StarMap, morph: number, into: Float32Array): void {
  const { centre, right, up, towards, scale, perspective } = projection;
  const [halfWidth, halfHeight] = [projection.width / 2, projection.height / 2];
  const { xy, xyz, count } = map;
  for (let index = 0; index < count; index += 1) {
    let [x, y, z] = [xy[2 * index] ?? 0, xy[2 * index + 1] ?? 0, 0];
    if (xyz !== undefined && morph > 0) {
      x += morph * ((xyz[3 * index] ?? 0) - x);
      y += morph * ((xyz[3 * index + 1] ?? 0) - y);
      z = morph * (xyz[3 * index + 2] ?? 0);
    }
    x -= centre[0];
    y -= centre[1];
    z -= centre[2];
    const distance = 1 - perspective * (towards[0] * x + towards[1] * y + towards[2] * z);
    const pixels = distance < NEAREST ? NaN : scale / distance;
    into[PROJECTED * index] = halfWidth + pixels * (right[0] * x + right[1] * y + right[2] * z);
    into[PROJECTED * index + 1] = halfHeight - pixels * (up[0] * x + up[1] * y + up[2] * z);
    into[PROJECTED * index + 2] = distance;
  }
}

/** The place of the map below a pixel, as far away as the centre. */
function placeBelow(projection: Projection, px: number, py: number): Triple {
  const { centre, right, up, scale } = projection;
  const [dx, dy] = [(px - projection.width / 2) / scale, (projection.height / 2 - py) / scale];
  return [centre[0] + dx * right[0] + dy * up[0], centre[1] + dx * right[1] + dy * up[1], centre[2] + dx * right[2] + dy * up[2]];
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/** A camera that keeps to the map; also mends what comes from an address. */
export function clamped(camera: Camera): Camera {
  const inside = (value: number): number => (Number.isFinite(value) ? within(value, -EXTENT, EXTENT) : 0);
  const quarter = Math.PI / 2;
  return {
    dimensions: camera.dimensions,
    x: inside(camera.x),
    y: inside(camera.y),
    z: camera.dimensions === 3 ? inside(camera.z) : 0,
    zoom: Number.isFinite(camera.zoom) ? within(camera.zoom, ...ZOOM_LIMITS) : 1,
    azimuth: Number.isFinite(camera.azimuth) ? camera.azimuth % (2 * Math.PI) : 0,
    elevation: Number.isFinite(camera.elevation) ? within(camera.elevation, -quarter, quarter) : 0,
  };
}

function centredOn(camera: Camera, [x, y, z]: Triple): Camera {
  return clamped({ ...camera, x, y, z });
}

/** Move the map with the pointer. */
export function panned(view: View, dx: number, dy: number): Camera {
  return centredOn(view.camera, placeBelow(projectionOf(view), view.width / 2 - dx, view.height / 2 - dy));
}

/** Zoom by a factor; what is below the pixel stays there. */
export function zoomedAt(view: View, factor: number, px: number, py: number): Camera {
  const zoom = within(view.camera.zoom * factor, ...ZOOM_LIMITS);
  const below = placeBelow(projectionOf(view), px, py);
  const { centre } = projectionOf(view);
  const share = view.camera.zoom / zoom;
  const kept = (axis: 0 | 1 | 2): number => below[axis] + share * (centre[axis] - below[axis]);
  return centredOn({ ...view.camera, zoom }, [kept(0), kept(1), kept(2)]);
}

/** Turn the map with the pointer. */
export function orbited(camera: Camera, dx: number, dy: number): Camera {
  return clamped({
    ...camera,
    azimuth: camera.azimuth + RADIANS_PER_PIXEL * dx,
    elevation: camera.elevation + RADIANS_PER_PIXEL * dy,
  });
}

/** Show these points, or the whole map, from the same side. */
export function fitted(view: View, map: StarMap, indexes: Uint32Array | undefined): Camera {
  const { camera, width, height } = view;
  if (indexes === undefined || indexes.length === 0) return { ...camera, x: 0, y: 0, z: 0, zoom: 1 };
  const { right, up, towards } = projectionOf(view);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const index of indexes) {
    const place = placeAt(map, index, view.morph);
    for (const [axis, direction] of [right, up, towards].entries()) {
      const value = along(direction, ...place);
      low[axis] = Math.min(low[axis] ?? value, value);
      high[axis] = Math.max(high[axis] ?? value, value);
    }
  }
  const [a, b, c] = [0, 1, 2].map((axis) => ((low[axis] ?? 0) + (high[axis] ?? 0)) / 2) as [number, number, number];
  const centre = [0, 1, 2].map((axis) => a * (right[axis] ?? 0) + b * (up[axis] ?? 0) + c * (towards[axis] ?? 0));
  const size = (axis: number): number => Math.max(1e-3, (high[axis] ?? 0) - (low[axis] ?? 0));
  const pixels = (1 - 4 * MARGIN) / unitScale(width, height);
  const zoom = Math.min(FIT_ZOOM_LIMIT, (pixels * width) / size(0), (pixels * height) / size(1));
  return centredOn({ ...camera, zoom: within(zoom, ...ZOOM_LIMITS) }, [centre[0] ?? 0, centre[1] ?? 0, centre[2] ?? 0]);
}

/** The camera on the way from one to another; zoom grows by factors, and turns go the shorter way. */
export function between(from: Camera, to: Camera, share: number): Camera {
  const blend = (start: number, end: number): number => start + share * (end - start);
  const turn = to.azimuth - from.azimuth;
  const shorter = turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  return {
    dimensions: to.dimensions,
    x: blend(from.x, to.x),
    y: blend(from.y, to.y),
    z: blend(from.z, to.z),
    zoom: from.zoom * (to.zoom / from.zoom) ** share,
    azimuth: from.azimuth + share * shorter,
    elevation: blend(from.elevation, to.elevation),
  };
}

export function isSameCamera(one: Camera, other: Camera): boolean {
  const fields = ["dimensions", "x", "y", "z", "zoom", "azimuth", "elevation"] as const;
  return fields.every((field) => one[field] === other[field]);
}
