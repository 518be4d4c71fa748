import { expect, test } from "vitest";

import type { LabelCandidate } from "./label-layout";
import { boxOf, chooseLabels, isInZoom, LABEL_LIMIT, labelAt } from "./label-layout";

const WINDOW = { width: 800, height: 600 };

function candidate(id: string, x: number, y: number, weight = 1, kind: "cluster" | "entity" = "cluster"): LabelCandidate {
  const label = { id, text: id, kind, level: 0, position: [0, 0], position3d: undefined, weight } as const;
  return { label, x, y, width: 60, height: 16 };
}

const ids = (chosen: readonly LabelCandidate[]): string[] => chosen.map(({ label }) => label.id);

test("where two labels collide, the heavier one stays", () => {
  const chosen = chooseLabels([candidate("light", 100, 100, 1), candidate("heavy", 130, 105, 2)], WINDOW, new Set());
  expect(ids(chosen)).toEqual(["heavy"]);
});

test("labels apart are all shown, those outside of the window aren't", () => {
  const all = [candidate("a", 100, 100), candidate("b", 100, 125), candidate("out", 900, 100), candidate("above", 100, -40)];
  expect(ids(chooseLabels(all, WINDOW, new Set()))).toEqual(["a", "b"]);
});

test("a label that is shown stays against one that weighs little more", () => {
  const all = [candidate("old", 100, 100, 10), candidate("new", 110, 100, 11)];
  expect(ids(chooseLabels(all, WINDOW, new Set(["old"])))).toEqual(["old"]);
  expect(ids(chooseLabels(all, WINDOW, new Set()))).toEqual(["new"]);
});

test("at most sixty labels are shown, and no two of them overlap", () => {
  const all = Array.from({ length: 2_000 }, (_, n) => candidate(String(n), (n * 379) % 800, (n * 211) % 600, n));
  const chosen = chooseLabels(all, WINDOW, new Set());
  expect(chosen.length).toBe(LABEL_LIMIT);
  for (const one of chosen) {
    for (const other of chosen) {
      const [a, b] = [boxOf(one), boxOf(other)];
      const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      expect(one === other || apart).toBe(true);
    }
  }
});

test("levels are shown from their zoom on", () => {
  expect([0, 1, 2].map((level) => isInZoom(level as 0 | 1 | 2, 1))).toEqual([true, false, false]);
  expect([0, 1, 2].map((level) => isInZoom(level as 0 | 1 | 2, 8))).toEqual([true, true, true]);
});

test("a label is found below the pointer: a cluster's about its place, an entity's below it", () => {
  const chosen = [candidate("cluster", 100, 100), candidate("entity", 300, 100, 1, "entity")];
  expect(labelAt(chosen, 100, 95)?.id).toBe("cluster");
  expect(labelAt(chosen, 300, 95)).toBeUndefined();
  expect(labelAt(chosen, 300, 110)?.id).toBe("entity");
});
