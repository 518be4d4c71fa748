import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { expect, onTestFinished, test } from "vitest";

import VirtualList from "./VirtualList.svelte";

const rows = (ids: string): { id: string }[] => Array.from(ids, (id) => ({ id }));

interface Handle {
  move: (by: number) => void;
  toTop: () => void;
}

/** A list on a page, with what is active in it. */
function shown(ids: string, active: string): { list: Handle; now: { active: string | undefined; items: { id: string }[] } } {
  const now = $state<{ active: string | undefined; items: { id: string }[] }>({ active, items: rows(ids) });
  const list = mount(VirtualList, {
    target: document.body,
    props: {
      get items() {
        return now.items;
      },
      get active() {
        return now.active;
      },
      label: "Rows",
      total: undefined,
      row: createRawSnippet(() => ({ render: () => "<span></span>" })),
      onactive: (id: string) => {
        now.active = id;
      },
      onopen: () => undefined,
    },
  });
  flushSync();
  onTestFinished(() => unmount(list));
  return { list, now };
}

test.each([
  ["abef", 1, "e"],
  ["abef", -1, "b"],
  ["abef", 0, "e"],
  ["ab", 1, "b"],
  ["ab", -1, "b"],
  ["xabyef", 1, "e"],
])("where the active row has gone and %s are left, a move by %i leads to %s", (left, by, to) => {
  const { list, now } = shown("abcdef", "c");
  now.items = rows(left);
  flushSync();
  list.move(by);
  expect(now.active).toBe(to);
});

test("rows that go one after the other leave the place to the next that is left", () => {
  const { list, now } = shown("abcdef", "c");
  for (const left of ["abdef", "abef", "abf"]) {
    now.items = rows(left);
    flushSync();
  }
  list.move(1);
  expect(now.active).toBe("f");
});

test("another list begins at its first row", () => {
  const { list, now } = shown("abcdef", "c");
  list.toTop();
  now.items = rows("xyef");
  flushSync();
  list.move(1);
  expect(now.active).toBe("x");
});

test("the Tab key finds the place of a row that has gone", () => {
  const { now } = shown("abcdef", "c");
  now.items = rows("abef");
  flushSync();
  const stops = [...document.querySelectorAll<HTMLElement>('[role="option"]')].map((row) => row.tabIndex);
  expect(stops).toEqual([-1, -1, 0, -1]);
});
