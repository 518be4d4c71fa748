import { expect, test } from "vitest";

import { ALL_GROUPS, isLeftOut, isolatedGroup, readMapView, toggledGroup, writeMapView, type MapView } from "./constellation-url";

const NOTHING = readMapView(new URLSearchParams());
const read = (query: string): MapView => readMapView(new URLSearchParams(query));

test("a page without parameters is the whole map of all memories, coloured by type", () => {
  expect(NOTHING).toMatchObject({ colour: "type", dimensions: 2, camera: undefined, groups: ALL_GROUPS, q: "", isListed: false });
  expect(writeMapView(NOTHING).toString()).toBe("");
});

test("every part of the page's state returns from the address", () => {
  const view: MapView = {
    project: "/work/hearth",
    agent: undefined,
    colour: "age",
    groups: { kind: "only", values: ["a,b", "c&d"] },
    dimensions: 3,
    camera: { dimensions: 3, x: 1.25, y: -2, z: 3, zoom: 4, azimuth: 0.5, elevation: -0.25 },
    q: "deploy",
    told: "/work/hearth",
    entity: "e1",
    time: { kind: "asOf", day: 20_759 },
    memory: "m1",
    isListed: true,
  };
  expect(readMapView(new URLSearchParams(writeMapView(view).toString()))).toEqual(view);
});

test("the legend leaves out some groups, or all but some", () => {
  const out = (query: string): boolean[] => ["fact", "rule"].map((value) => isLeftOut(read(query).groups, value));
  expect([out(""), out("hide=rule"), out("only=rule")]).toEqual([
    [false, false],
    [false, true],
    [true, false],
  ]);
});

test.each(["1,2", "1,2,0", "1,2,x", "1,2,3,4,5", "1,2,3,-1,0,0", "1,2,Infinity", ""])("a camera “%s” is the whole map", (cam) => {
  expect(read(`cam=${cam}`).camera).toBeUndefined();
});

test("of a project and an agent the project counts", () => {
  expect(read("project=p&agent=a")).toMatchObject({ project: "p", agent: undefined });
});

test("what isn't a colouring is left out", () => {
  expect(read("colour=mood")).toMatchObject({ colour: "type" });
});

test("the legend leaves out a group, or all but one, and brings them back", () => {
  const without = toggledGroup(ALL_GROUPS, "rule");
  expect(without).toEqual({ kind: "without", values: ["rule"] });
  expect(toggledGroup(without, "rule")).toEqual(ALL_GROUPS);
  const alone = isolatedGroup(without, "fact");
  expect(alone).toEqual({ kind: "only", values: ["fact"] });
  const both = toggledGroup(alone, "rule");
  expect(both).toEqual({ kind: "only", values: ["fact", "rule"] });
  expect(toggledGroup(alone, "fact")).toEqual(ALL_GROUPS);
  expect(isolatedGroup(isolatedGroup(both, "fact"), "fact")).toEqual(ALL_GROUPS);
});
