import { expect, test } from "vitest";

import { paletteOf } from "$lib/constellation/palette";
import { decodeMap } from "$lib/constellation/decode";
import { encodeMap } from "$lib/constellation/testing";
import { HIDDEN, SHOWN, type StarMap } from "$lib/constellation/values";

import { NOW, type TimeView } from "../time/time-view";
import type { Colouring } from "./constellation-url";
import { groupingOf, NONE, type Grouping } from "./grouping";

const PALETTE = paletteOf({ isDark: false, hasMoreContrast: false });
const TODAY = 20_000;
const NAMES = { agent: (id: string) => `Agent ${id}` };

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const days = (...values: number[]): Uint16Array => Uint16Array.from(values);
const entities = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `e${String(at)}`, name: `Entity ${String(at)}`, type: "tool" }));

function grouped(map: StarMap, colouring: Colouring, { time = NOW, base }: { time?: TimeView; base?: Uint8Array } = {}): Grouping {
  const all = new Uint8Array(map.count).fill(SHOWN);
  return groupingOf(map, colouring, base ?? all, { palette: PALETTE, time, today: TODAY, names: NAMES });
}

const counts = ({ groups }: Grouping): [string, number][] => groups.map(({ label, count }) => [label, count]);

test("types are listed in their own order, each with the colour that it has on every map", () => {
  const some = decodeMap(encodeMap(3, { types: ["rule", "fact"] }, { type: bytes(0, 1, 1) }));
  const one = decodeMap(encodeMap(1, { types: ["rule"] }, { type: bytes(0) }));
  expect(counts(grouped(some, "type"))).toEqual([
    ["Fact", 2],
    ["Rule", 1],
  ]);
  const look = (map: StarMap): unknown =>
    grouped(map, "type")
      .groups.filter(({ value }) => value === "rule")
      .map(({ colour, shape }) => [colour, shape]);
  expect(look(some)).toEqual(look(one));
});

test("entities are listed by size, then those without one; what doesn't fit shares a group", () => {
  const count = 20;
  const entity = bytes(0, 0, ...Array.from({ length: count }, (_, at) => at + 1), 5);
  const map = decodeMap(encodeMap(entity.length, { entities: entities(count) }, { entity }));
  const grouping = grouped(map, "entity");
  expect(counts(grouping)[0]).toEqual(["Entity 4", 2]);
  expect(counts(grouping).slice(-2)).toEqual([
    ["No entity", 2],
    ["Other", 4],
  ]);
  expect(new Set(grouping.groups.map(({ colour, shape }) => `${String(colour)}/${String(shape)}`)).size).toBe(grouping.groups.length);
});

test("memories of no project are apart, and agents have their names", () => {
  const map = decodeMap(encodeMap(2, { projects: [null, "/work/hearth"], agents: ["ann"] }, { project: bytes(0, 1) }));
  expect(grouped(map, "project").groups.map(({ value }) => value)).toEqual(["/work/hearth", NONE]);
  expect(counts(grouped(map, "agent"))).toEqual([["Agent ann", 2]]);
});

test("ages are listed from the newest on, as of the day that is shown", () => {
  const map = decodeMap(encodeMap(3, {}, { created: days(TODAY, TODAY - 20, TODAY - 500) }));
  expect(counts(grouped(map, "age")).map(([label]) => label)).toEqual(["Within a week", "Within a month", "Older than a year"]);
  expect(counts(grouped(map, "age", { time: { kind: "asOf", day: TODAY - 20 } }))[0]).toEqual(["Within a week", 2]);
});

test("points that are left out aren't counted", () => {
  const map = decodeMap(encodeMap(2, { types: ["fact"] }, { type: bytes(0, 0) }));
  expect(counts(grouped(map, "type", { base: bytes(HIDDEN, SHOWN) }))).toEqual([["Fact", 1]]);
});

test("a difference is coloured by what became of memories, whatever else they're coloured by", () => {
  const map = decodeMap(encodeMap(3, {}, { created: days(5, 15, 5), changed: days(0, 0, 12), ended: days(0, 0, 0) }));
  expect(counts(grouped(map, "type", { time: { kind: "difference", from: 10, to: 20 } }))).toEqual([
    ["New", 1],
    ["Changed", 1],
    ["Unchanged", 1],
  ]);
});
