/** Maps for tests and the gallery. */

import { decodeMap } from "./decode";
import type { Edges, PointStyles, StarMap } from "./values";
import { SHOWN } from "./values";

type Column = Uint8Array | Uint16Array | Int16Array;

const TYPES = new Map<unknown, string>([
  [Uint8Array, "u8"],
  [Uint16Array, "u16"],
  [Int16Array, "i16"],
]);
const LIMIT = 32_767;

/** A sequence of numbers in [0, 1) that is the same for a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The columns of a small map: its points lie on a diagonal. */
export function sampleColumns(points: number): Record<string, Column> {
  const across = (index: number, per: number): number => [LIMIT, -LIMIT, 0, 0, LIMIT, -LIMIT][index % per] ?? 0;
  return {
    ids: Uint8Array.from({ length: 16 * points }, (_, byte) => (byte * 37) % 256),
    xy: Int16Array.from({ length: 2 * points }, (_, index) => across(index, 6)),
    xyz: Int16Array.from({ length: 3 * points }, (_, index) => across(index, 5)),
    created: Uint16Array.from({ length: points }, (_, index) => 20_000 + index),
    changed: new Uint16Array(points),
    ended: new Uint16Array(points),
    type: Uint8Array.from({ length: points }, (_, index) => index % 2),
    origin: new Uint8Array(points),
    agent: new Uint8Array(points),
    project: Uint8Array.from({ length: points }, (_, index) => index % 2),
    entity: new Uint8Array(points),
    importance: new Uint8Array(points).fill(128),
    flags: new Uint8Array(points),
  };
}

interface Header {
  [name: string]: unknown;
  columns: { name: string; type: string; offset: number; length: number }[];
}

/** The header of such a map. */
export function sampleHeader(points: number, columns = sampleColumns(points)): Header {
  let offset = 0;
  return {
    token: "token",
    generation: 1,
    count: points,
    dimensions: [2, 3],
    extent: 210,
    unplaced: 0,
    computed_at: "2026-11-27T12:00:00Z",
    types: ["fact", "decision"],
    origins: ["agent"],
    agents: ["claude-code"],
    projects: [null, "intaglio"],
    entities: [],
    columns: Object.entries(columns).map(([name, column]) => {
      const at = offset;
      offset += Math.ceil(column.byteLength / 8) * 8;
      return { name, type: TYPES.get(column.constructor) ?? "", offset: at, length: column.byteLength };
    }),
  };
}

/** The bytes of a map as the daemon sends it, with some of its header and columns replaced. */
export function encodeMap(points: number, changed: Record<string, unknown> = {}, replaced: Record<string, Column> = {}): ArrayBuffer {
  const columns = { ...sampleColumns(points), ...replaced };
  const placed = sampleHeader(points, columns);
  const json = new TextEncoder().encode(JSON.stringify({ ...placed, ...changed }));
  const start = Math.ceil((12 + json.length) / 8) * 8;
  const bodies = Object.values(columns).reduce((sum, column) => sum + Math.ceil(column.byteLength / 8) * 8, 0);
  const bytes = new Uint8Array(start + bodies).fill(0x20, 12, start);
  bytes.set(new TextEncoder().encode("INTAMAP1"));
  new DataView(bytes.buffer).setUint32(8, start - 12, true);
  bytes.set(json, 12);
  for (const { name, offset } of placed.columns) {
    const column = columns[name];
    if (column !== undefined) bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start + offset);
  }
  return bytes.buffer;
}

/** The bytes of a map of clusters: points spread about centres, in both layouts. */
export function clusteredBuffer(points: number, clusters = 12, seed = 1): ArrayBuffer {
  const random = randomNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const inside = (value: number): number => Math.round(Math.max(-1, Math.min(1, value)) * LIMIT);
  const centres = Array.from({ length: clusters }, () => [0, 1, 2].map(() => 1.6 * random() - 0.8));
  const [xy, xyz, type] = [new Int16Array(2 * points), new Int16Array(3 * points), new Uint8Array(points)];
  const ids = Uint8Array.from({ length: 16 * points }, () => Math.floor(256 * random()));
  for (let index = 0; index < points; index += 1) {
    const cluster = Math.floor(clusters * random());
    const spread = (axis: number): number => inside((centres[cluster]?.[axis] ?? 0) + 0.08 * normal());
    xy.set([spread(0), spread(1)], 2 * index);
    xyz.set([spread(0), spread(1), spread(2)], 3 * index);
    type[index] = cluster % 8;
  }
  const types = Array.from({ length: 8 }, (_, number) => `type ${String(number)}`);
  return encodeMap(points, { types }, { ids, xy, xyz, type });
}

export function clusteredMap(points: number): StarMap {
  return decodeMap(clusteredBuffer(points));
}

/** Edges between points that are near each other, up to three a point: those that follow in the order of x. */
export function nearEdges(map: StarMap): Edges {
  const order = Uint32Array.from({ length: map.count }, (_, index) => index).sort(
    (one, other) => (map.xy[2 * one] ?? 0) - (map.xy[2 * other] ?? 0),
  );
  const pairs: number[] = [];
  for (let place = 0; place < order.length; place += 1) {
    const from = order[place] ?? 0;
    for (const to of order.subarray(place + 1, place + 4)) {
      if (Math.abs((map.xy[2 * from + 1] ?? 0) - (map.xy[2 * to + 1] ?? 0)) < 40) pairs.push(from, to);
    }
  }
  return Uint32Array.from(pairs);
}

/** Styles of a map: each point shown, coloured by its type. */
export function plainStyles(map: StarMap, palette: readonly string[] = ["#2f4fb5"]): PointStyles {
  return {
    emphasis: new Uint8Array(map.count).fill(SHOWN),
    colour: map.type.map((type) => type % palette.length),
    palette,
    shape: map.type.map((type) => type % 6),
    size: new Uint8Array(map.count).fill(6),
  };
}
