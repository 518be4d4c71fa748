import { expect, test } from "vitest";

import { decodeEdges, decodeMap, decodeMembers, MapFormatError } from "./decode";
import { encodeMap, sampleColumns, sampleHeader } from "./testing";

function broken(act: () => unknown): string {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof MapFormatError) return thrown.message;
    throw thrown;
  }
  return "";
}

test("a map is decoded: coordinates in units of the map, columns as they are", () => {
  const map = decodeMap(encodeMap(3));
  expect(map.count).toBe(3);
  expect(map.dimensions).toEqual([2, 3]);
  expect([...map.xy]).toEqual([210, -210, 0, 0, 210, -210].map((value) => expect.closeTo(value, 3) as number));
  expect(map.xyz?.length).toBe(9);
  expect([...map.created]).toEqual([20_000, 20_001, 20_002]);
  expect(map.types).toEqual(["fact", "decision"]);
  expect(map.projects).toEqual([null, "intaglio"]);
  expect(map.computedAt).toBe("2026-11-27T12:00:00Z");
});

test("a map without points is decoded", () => {
  expect(decodeMap(encodeMap(0)).count).toBe(0);
});

test("a map without a layout in three dimensions has none", () => {
  expect(decodeMap(encodeMap(2, { dimensions: [2] })).xyz).toBeUndefined();
});

test("a column of a later version is passed over", () => {
  const header = sampleHeader(2);
  const columns = [...header.columns, { name: "mood", type: "f64", offset: 0, length: 1 }];
  expect(decodeMap(encodeMap(2, { columns })).count).toBe(2);
});

test("the number of the rest stands only in a full table", () => {
  const full = Array.from({ length: 255 }, (_, number) => `agent ${String(number)}`);
  const agent = Uint8Array.of(0, 255);
  expect(decodeMap(encodeMap(2, { agents: full }, { agent })).agent[1]).toBe(255);
  expect(broken(() => decodeMap(encodeMap(2, {}, { agent })))).toBe("agents has no number 255");
});

test.each([
  [
    "another magic",
    (bytes: Uint8Array) => {
      bytes.set([65], 0);
    },
    "the reply isn't a map of this version",
  ],
  [
    "a header beyond the end",
    (bytes: Uint8Array) => {
      bytes.set([0, 0, 0, 64], 8);
    },
    "the header's length is wrong",
  ],
  [
    "a header of broken text",
    (bytes: Uint8Array) => {
      bytes.set([255], 12);
    },
    "the header isn't JSON",
  ],
])("%s is refused", (_, damage, message) => {
  const buffer = encodeMap(2);
  damage(new Uint8Array(buffer));
  expect(broken(() => decodeMap(buffer))).toBe(message);
});

test("a reply that was cut off anywhere is refused", () => {
  const buffer = encodeMap(2);
  const last = decodeMap(buffer).flags;
  const end = last.byteOffset + last.byteLength;
  for (let length = 0; length < end; length += 1) {
    expect(
      broken(() => decodeMap(buffer.slice(0, length))),
      String(length),
    ).not.toBe("");
  }
});

test.each([
  ["a count that isn't one", { count: -1 }, "count isn't a count"],
  ["a count that the columns don't have", { count: 5 }, "the column ids doesn't fit 5 points"],
  ["dimensions that aren't", { dimensions: [3] }, "dimensions are neither 2 nor 2 and 3"],
  ["an extent of nothing", { extent: 0 }, "extent isn't a length"],
  ["a table of other things", { types: [1] }, "types holds something else than texts"],
  ["an entity without a name", { entities: [{ id: "a", type: "tool" }] }, "name isn't a text"],
  ["no columns", { columns: [] }, "the column ids is missing"],
  ["a type without its number", { types: ["fact"] }, "types has no number 1"],
  ["no token", { token: null }, "token isn't a text"],
])("%s is refused", (_, changed, message) => {
  const map = encodeMap(2, changed);
  expect(broken(() => decodeMap(map))).toBe(message);
});

test("a column of another type, or between two places of the reply, is refused", () => {
  const { columns } = sampleHeader(2);
  const moved = columns.map((column) => (column.name === "created" ? { ...column, offset: column.offset + 2 } : column));
  expect(broken(() => decodeMap(encodeMap(2, { columns: moved })))).toBe("the column created lies outside the reply");
  const retyped = columns.map((column) => (column.name === "created" ? { ...column, type: "u8" } : column));
  expect(broken(() => decodeMap(encodeMap(2, { columns: retyped })))).toBe("the column created doesn't fit 2 points");
});

test("a point takes 39 bytes", () => {
  const bytes = Object.values(sampleColumns(1)).reduce((sum, column) => sum + column.byteLength, 0);
  expect(bytes).toBe(39);
});

test("edges are pairs of points of the map", () => {
  expect([...decodeEdges(Uint32Array.of(0, 1, 1, 2).buffer, 3)]).toEqual([0, 1, 1, 2]);
  expect(broken(() => decodeEdges(Uint32Array.of(0, 1, 1).buffer, 3))).toBe("the edges aren't pairs");
  expect(broken(() => decodeEdges(Uint32Array.of(0, 3).buffer, 3))).toBe("an edge ends outside the map");
});

test("the members of clusters have one number per point", () => {
  expect([...decodeMembers(btoa("\u0001\u0000ÿÿ"), 2)]).toEqual([1, 65_535]);
  expect(broken(() => decodeMembers("AAA=", 2))).toBe("the members of clusters don't fit the map");
  expect(broken(() => decodeMembers("*", 2))).toBe("the members of clusters aren't base64");
});
