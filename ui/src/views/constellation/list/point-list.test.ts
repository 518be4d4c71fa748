import { expect, test, vi } from "vitest";

import { api, type MemoryRow } from "$lib/api/client";
import { clusteredMap } from "$lib/constellation/testing";
import { idAt } from "$lib/constellation/ids";
import { press, render } from "$lib/testing";

import { newestFirst, rangeOf } from "./point-order";
import PointList from "./PointList.svelte";
import { selectionJson } from "./selection-export";

const map = clusteredMap(40);

test("the newest come first", () => {
  expect([...newestFirst({ created: Uint16Array.of(3, 9, 3, 5) }, [0, 1, 2, 3])]).toEqual([1, 3, 2, 0]);
});

test("a range is what stands between in the list", () => {
  const order = Uint32Array.of(7, 3, 9, 1);
  expect([[...rangeOf(order, 9, 7)], [...rangeOf(order, 99, 3)]]).toEqual([[7, 3, 9], [3]]);
});

test("the list opens, moves and selects by keyboard", () => {
  vi.spyOn(api, "memory").mockReturnValue(new Promise(() => undefined));
  const told: unknown[] = [];
  const page = render(PointList, {
    map,
    indexes: [4, 5, 6],
    label: "Selection",
    current: 6,
    selected: new Set([5]),
    oncurrent: (index: number) => told.push(["current", index]),
    onopen: (index: number) => told.push(["open", index]),
    onselect: (indexes: Uint32Array, change: string) => told.push([change, ...indexes]),
  });
  page.querySelector<HTMLElement>("[role=option]")?.focus();
  press("Enter");
  press("x");
  press("ArrowDown");
  expect(told.slice(0, 3)).toEqual([
    ["open", 6],
    ["add", 6],
    ["current", 5],
  ]);
});

test("the export has the text, the place and the dates of each", async () => {
  const id = idAt(map, 3);
  vi.spyOn(api, "memory").mockResolvedValue({ id, content: "Deploy on Fridays", type: "rule", tags: "ops,ci" } as MemoryRow);
  const done: number[] = [];
  const json = JSON.parse(await selectionJson(map, [3], (count) => done.push(count))) as { count: number; memories: object[] };
  expect(json).toMatchObject({
    count: 1,
    memories: [{ id, content: "Deploy on Fridays", type: "rule", tags: ["ops", "ci"], ended: null }],
  });
  expect(json.memories[0]).toMatchObject({ position: [expect.any(Number), expect.any(Number)] });
  expect(done).toEqual([1]);
});
