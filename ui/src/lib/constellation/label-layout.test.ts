import { expect, test } from "vitest";

import type { LabelCandidate, PlacedLabel } from "./label-layout";
import { chooseLabels, isInZoom, LABEL_LIMIT, labelAt } from "./label-layout";

const WINDOW = { width: 800, height: 600 };

function candidate(
  id: string,
  x: number,
  y: number,
  {
    weight = 1,
    kind = "cluster",
    level = 1,
    isPinned = false,
  }: { weight?: number; kind?: "cluster" | "entity"; level?: 0 | 1; isPinned?: boolean } = {},
): LabelCandidate {
  const label = { id, text: id, kind, level, position: [0, 0], position3d: undefined, isPinned, weight } as const;
  return { label, x, y, width: 60, height: 16 };
}

const ids = (chosen: readonly PlacedLabel[]): string[] => chosen.map(({ label }) => label.id);

test("where two labels collide, the heavier one stays", () => {
  const chosen = chooseLabels([candidate("light", 100, 100), candidate("heavy", 130, 105, { weight: 2 })], WINDOW, new Set());
  expect(ids(chosen)).toEqual(["heavy"]);
});

test("labels apart are all shown, those outside of the window aren't", () => {
  const all = [candidate("a", 100, 100), candidate("b", 100, 125), candidate("out", 900, 100), candidate("above", 100, -40)];
  expect(ids(chooseLabels(all, WINDOW, new Set()))).toEqual(["a", "b"]);
});

test("a label that is shown stays against one that weighs little more", () => {
  const all = [candidate("old", 100, 100, { weight: 10 }), candidate("new", 110, 100, { weight: 11 })];
  expect(ids(chooseLabels(all, WINDOW, new Set(["old"])))).toEqual(["old"]);
  expect(ids(chooseLabels(all, WINDOW, new Set()))).toEqual(["new"]);
});

function expectApart(chosen: readonly PlacedLabel[]): void {
  for (const one of chosen) {
    for (const other of chosen) {
      const [a, b] = [one.box, other.box];
      const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      expect(one === other || apart).toBe(true);
    }
  }
}

test("at most sixty labels are shown besides those that are pinned, and no two of them overlap", () => {
  const all = Array.from({ length: 2_000 }, (_, n) =>
    candidate(String(n), (n * 379) % 800, (n * 211) % 600, { weight: n, kind: "entity", isPinned: n < 10 }),
  );
  const chosen = chooseLabels(all, WINDOW, new Set());
  expect(chosen.length).toBe(LABEL_LIMIT + 10);
  expectApart(chosen);
});

test("what is pinned stays where it collides with others, and the names of clusters make room for it", () => {
  const pinned = [0, 1, 2, 3, 4, 5].map((n) => candidate(`pinned ${String(n)}`, 400 + n, 300, { kind: "entity", isPinned: true }));
  const clusters = [candidate("coarse", 400, 310, { weight: 9_000, level: 0 }), candidate("fine", 400, 310)];
  const chosen = chooseLabels([...clusters, ...pinned], WINDOW, new Set());
  expect(ids(chosen).toSorted()).toEqual([...pinned.map(({ label }) => label.id), "coarse"].toSorted());
  expectApart(chosen);
});

test("a pinned label at the border stands where the whole of it is seen", () => {
  const [corner] = chooseLabels([candidate("corner", 795, 596, { kind: "entity", isPinned: true })], WINDOW, new Set());
  expect(corner?.box).toMatchObject({ right: 789, bottom: 590 });
  expect(chooseLabels([candidate("outside", 850, 300, { kind: "entity", isPinned: true })], WINDOW, new Set())).toEqual([]);
});

test("levels are shown from their zoom on", () => {
  expect([0, 1, 2].map((level) => isInZoom(level as 0 | 1 | 2, 1))).toEqual([true, false, false]);
  expect([0, 1, 2].map((level) => isInZoom(level as 0 | 1 | 2, 8))).toEqual([true, true, true]);
});

test("a label is found below the pointer: a cluster's about its place, an entity's below it", () => {
  const all = [candidate("cluster", 100, 100), candidate("entity", 300, 100, { kind: "entity" })];
  const chosen = chooseLabels(all, WINDOW, new Set());
  expect(labelAt(chosen, 100, 95)?.id).toBe("cluster");
  expect(labelAt(chosen, 300, 95)).toBeUndefined();
  expect(labelAt(chosen, 300, 110)?.id).toBe("entity");
});
