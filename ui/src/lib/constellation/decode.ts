/**
 * The binary forms of a map: its points, edges and clusters, as `/api/embeddings/projection/points`, `/edges` and
 * `/labels` send them. All numbers are little-endian.
 */

import type { Edges, StarMap } from "./values";

/** A reply that isn't a map, or not one of this version; the message says what is wrong with it. */
export class MapFormatError extends Error {
  override readonly name = "MapFormatError";
}

const MAGIC = "INTAMAP1";
/** The magic and the length of the header. */
const PREFIX_BYTES = 12;
const ALIGNMENT = 8;
const COORDINATE_LIMIT = 32_767;
/** Stands for what a full table has no number for. */
const REST = 255;

const WIDTHS = { u8: 1, u16: 2, i16: 2, u32: 4 } as const;
type ColumnType = keyof typeof WIDTHS;

/** Each column: the type of its values, and how many a point has. */
const COLUMNS = {
  ids: ["u8", 16],
  xy: ["i16", 2],
  xyz: ["i16", 3],
  created: ["u16", 1],
  changed: ["u16", 1],
  ended: ["u16", 1],
  type: ["u8", 1],
  origin: ["u8", 1],
  agent: ["u8", 1],
  project: ["u8", 1],
  entity: ["u8", 1],
  importance: ["u8", 1],
  flags: ["u8", 1],
} as const satisfies Record<string, readonly [ColumnType, number]>;
type ColumnName = keyof typeof COLUMNS;

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw new MapFormatError(`${name} isn't a text`);
  return value;
}

/** Return a number that counts something. */
function count(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new MapFormatError(`${name} isn't a count`);
  return value;
}

function list(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw new MapFormatError(`${name} isn't a list`);
  return value;
}

function texts(fields: Fields, name: string): string[] {
  return list(fields, name).map((value) => {
    if (typeof value !== "string") throw new MapFormatError(`${name} holds something else than texts`);
    return value;
  });
}

function projectsOf(fields: Fields): (string | null)[] {
  return list(fields, "projects").map((value) => {
    if (value !== null && typeof value !== "string") throw new MapFormatError("projects holds something else than names");
    return value;
  });
}

function entitiesOf(fields: Fields): StarMap["entities"] {
  return list(fields, "entities").map((value) => {
    if (!isFields(value)) throw new MapFormatError("entities holds something else than entities");
    return { id: text(value, "id"), name: text(value, "name"), type: text(value, "type") };
  });
}

function dimensionsOf(fields: Fields): number[] {
  const found = list(fields, "dimensions");
  if (found[0] !== 2 || found.length > 2 || (found.length === 2 && found[1] !== 3)) {
    throw new MapFormatError("dimensions are neither 2 nor 2 and 3");
  }
  return found.length === 2 ? [2, 3] : [2];
}

/** Parse the header; returns it and where the columns begin. */
function headerOf(buffer: ArrayBuffer): { header: Fields; start: number } {
  if (buffer.byteLength < PREFIX_BYTES) throw new MapFormatError("the reply is too short");
  const magic = String.fromCharCode(...new Uint8Array(buffer, 0, MAGIC.length));
  if (magic !== MAGIC) throw new MapFormatError("the reply isn't a map of this version");
  const length = new DataView(buffer).getUint32(MAGIC.length, true);
  const start = PREFIX_BYTES + length;
  if (start > buffer.byteLength || start % ALIGNMENT !== 0) throw new MapFormatError("the header's length is wrong");
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(buffer, PREFIX_BYTES, length)));
  } catch {
    throw new MapFormatError("the header isn't JSON");
  }
  if (!isFields(parsed)) throw new MapFormatError("the header isn't an object");
  return { header: parsed, start };
}

/** Where each column's bytes begin, checked against the length of the reply. */
function columnOffsets(buffer: ArrayBuffer, header: Fields, start: number, points: number): ReadonlyMap<ColumnName, number> {
  const offsets = new Map<ColumnName, number>();
  for (const column of list(header, "columns")) {
    if (!isFields(column)) throw new MapFormatError("columns holds something else than columns");
    const name = text(column, "name");
    // A column of a later version.
    if (!Object.hasOwn(COLUMNS, name)) continue;
    const known = name as ColumnName;
    const [type, perPoint] = COLUMNS[known];
    const length = count(column, "length");
    const offset = start + count(column, "offset");
    if (column.type !== type || length !== points * perPoint * WIDTHS[type]) {
      throw new MapFormatError(`the column ${name} doesn't fit ${String(points)} points`);
    }
    if (offset % ALIGNMENT !== 0 || offset + length > buffer.byteLength) {
      throw new MapFormatError(`the column ${name} lies outside the reply`);
    }
    offsets.set(known, offset);
  }
  return offsets;
}

/** Return the coordinates of quantised ones. */
function coordinates(quantised: Int16Array, extent: number): Float32Array {
  const unit = extent / COORDINATE_LIMIT;
  // `Float32Array.from` with a function takes thirty times as long.
  const values = new Float32Array(quantised);
  for (let place = 0; place < values.length; place += 1) values[place] = (values[place] ?? 0) * unit;
  return values;
}

function checkIndexes(name: string, column: Uint8Array, size: number): Uint8Array {
  const isFull = size >= REST;
  for (const value of column) {
    if (value >= size && !(isFull && value === REST)) throw new MapFormatError(`${name} has no number ${String(value)}`);
  }
  return column;
}

/** Decode a map; throws `MapFormatError`. The map keeps the buffer. */
export function decodeMap(buffer: ArrayBuffer): StarMap {
  const { header, start } = headerOf(buffer);
  const points = count(header, "count");
  const dimensions = dimensionsOf(header);
  const extent = header.extent;
  if (typeof extent !== "number" || !(extent > 0)) throw new MapFormatError("extent isn't a length");
  const offsets = columnOffsets(buffer, header, start, points);
  const at = (name: ColumnName): number => {
    const offset = offsets.get(name);
    if (offset === undefined) throw new MapFormatError(`the column ${name} is missing`);
    return offset;
  };
  const bytes = (name: ColumnName): Uint8Array => new Uint8Array(buffer, at(name), points * COLUMNS[name][1]);
  const days = (name: ColumnName): Uint16Array => new Uint16Array(buffer, at(name), points);
  const places = (name: "xy" | "xyz"): Float32Array => coordinates(new Int16Array(buffer, at(name), points * COLUMNS[name][1]), extent);
  const [types, origins, agents] = [texts(header, "types"), texts(header, "origins"), texts(header, "agents")];
  const [projects, entities] = [projectsOf(header), entitiesOf(header)];
  return {
    token: text(header, "token"),
    generation: count(header, "generation"),
    count: points,
    dimensions,
    unplaced: count(header, "unplaced"),
    computedAt: text(header, "computed_at"),
    ids: bytes("ids"),
    xy: places("xy"),
    xyz: dimensions.length === 2 ? places("xyz") : undefined,
    created: days("created"),
    changed: days("changed"),
    ended: days("ended"),
    type: checkIndexes("types", bytes("type"), types.length),
    origin: checkIndexes("origins", bytes("origin"), origins.length),
    agent: checkIndexes("agents", bytes("agent"), agents.length),
    project: checkIndexes("projects", bytes("project"), projects.length),
    // 0 is of no entity.
    entity: checkIndexes("entities", bytes("entity"), entities.length + 1),
    importance: bytes("importance"),
    flags: bytes("flags"),
    types,
    origins,
    agents,
    projects,
    entities,
  };
}

/** Decode the edges of a map with this many points; throws `MapFormatError`. */
export function decodeEdges(buffer: ArrayBuffer, points: number): Edges {
  if (buffer.byteLength % (2 * WIDTHS.u32) !== 0) throw new MapFormatError("the edges aren't pairs");
  const edges = new Uint32Array(buffer);
  if (edges.some((index) => index >= points)) throw new MapFormatError("an edge ends outside the map");
  return edges;
}

/** Decode which cluster each point of a map is in, 65,535 for none; throws `MapFormatError`. */
export function decodeMembers(base64: string, points: number): Uint16Array {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    throw new MapFormatError("the members of clusters aren't base64");
  }
  if (binary.length !== points * WIDTHS.u16) throw new MapFormatError("the members of clusters don't fit the map");
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return new Uint16Array(bytes.buffer);
}
