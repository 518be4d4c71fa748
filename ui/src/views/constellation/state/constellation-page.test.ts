import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { api } from "$lib/api/client";
import { projectionCalls, type ProjectionState } from "$lib/api/projection";
import { decodeMap } from "$lib/constellation/decode";
import { idAt } from "$lib/constellation/ids";
import { encodeMap } from "$lib/constellation/testing";
import { router } from "$lib/state/router.svelte";

import { ConstellationPage } from "./constellation-page.svelte";
import { contentShortcuts } from "./constellation-shortcuts";

const POINTS = 5;
const MAP = decodeMap(encodeMap(POINTS));
const id = (index: number): string => idAt(MAP, index);
const STATE = { memories: 90, embedded: 90, layouts: [{ dimensions: 2 }], run: null, failure: null } as unknown as ProjectionState;

let page: ConstellationPage;

beforeEach(async () => {
  vi.useFakeTimers();
  router.go("/constellation");
  vi.spyOn(projectionCalls, "mapState").mockResolvedValue(STATE);
  vi.spyOn(projectionCalls, "mapPoints").mockResolvedValue(encodeMap(POINTS));
  vi.spyOn(api, "memories").mockResolvedValue({ memories: [], next_cursor: null } as never);
  page = new ConstellationPage();
  page.load(page.scope);
  page.data.showMap(page.scope, 2);
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => vi.useRealTimers());

test("another colouring forgets what the legend left out", () => {
  page.go({ groups: { kind: "without", values: ["rule"] } });
  page.colourBy("age");
  expect(router.query.toString()).toBe("colour=age");
});

test("Enter in the search goes from match to match, over those that aren't in the map, and around", async () => {
  const found = [id(1), "elsewhere", id(3)].map((one) => ({ id: one }));
  vi.spyOn(api, "search").mockResolvedValue({ results: found as never, weaker: 0 });
  page.ask("deploy");
  await vi.advanceTimersByTimeAsync(200);
  const walked = ([1, 1, 1, -1] as const).map((by) => {
    page.walk(by);
    return page.currentId;
  });
  expect(walked).toEqual([id(1), id(3), id(1), id(3)]);
  expect(page.camera.value.zoom).toBeGreaterThan(1);
});

test("moving the camera is written into the address a moment later, and computes nothing anew", async () => {
  const before = page.styling.styles;
  page.camera.approach(MAP, 2);
  page.camera.rest();
  await vi.advanceTimersByTimeAsync(400);
  expect(router.query.get("cam")).toMatch(/,4$/);
  expect(page.styling.styles).toBe(before);
});

test("what is being forgotten leaves the map at once, and returns where that fails", () => {
  const back = page.items.remove(id(0));
  expect(page.styling.emphasis[0]).toBe(0);
  back();
  expect(page.styling.emphasis[0]).not.toBe(0);
});

test("a map of other memories is seen from far, without what was opened and selected on the one before", () => {
  page.openId(id(1));
  page.selection.choose([1], "replace");
  page.camera.approach(MAP, 1);
  page.goScope({ project: "/work/hearth" });
  expect(router.query.toString()).toBe("project=%2Fwork%2Fhearth");
  expect([page.selectedCount, page.camera.written]).toEqual([0, undefined]);
});

test("Esc cancels one thing after the other", () => {
  page.mode = "lasso";
  page.selection.choose([1, 2], "replace");
  const steps = Array.from({ length: 2 }, () => {
    page.stop();
    return [page.mode, page.selectedCount];
  });
  expect(steps).toEqual([
    ["pan", 2],
    ["pan", 0],
  ]);
  expect(page.canStop).toBe(false);
});

test("what is done in the pane of a memory is done to it, whatever is selected", async () => {
  vi.spyOn(api, "memory").mockResolvedValue({ id: id(0), pinned: 0, version: 3 } as never);
  const forget = vi.spyOn(api, "forget").mockRejectedValue(new Error("not now"));
  page.selection.choose([1, 2], "replace");
  page.openId(id(0));
  page.detail = { focus: () => undefined, hasFocus: () => true };
  expect(page.canStop).toBe(false);
  await page.targets.forget();
  expect(forget.mock.lastCall?.[0]).toBe(id(0));
  expect(page.selectedCount).toBe(2);
});

test("the list takes the place of an open memory", () => {
  page.openId(id(0));
  page.toggleList();
  expect(router.query.toString()).toBe("list=1");
  page.toggleList();
  expect(router.query.toString()).toBe("");
});

test("a command shows a group of the legend alone, and all again", () => {
  const run = (label: string): void => {
    contentShortcuts(page)
      .find((one) => one.label === label)
      ?.run(new KeyboardEvent("keydown"));
  };
  const [first] = page.styling.grouping?.groups ?? [];
  run(`Show only: ${first?.label ?? ""}`);
  expect(router.query.getAll("only")).toEqual([first?.value]);
  run(`Stop showing only: ${first?.label ?? ""}`);
  expect(router.query.toString()).toBe("");
});
