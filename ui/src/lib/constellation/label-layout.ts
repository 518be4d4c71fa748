/** Which labels are shown, and where: by level of zoom and by weight, without collisions. */

import type { MapLabel } from "./values";

export const LABEL_LIMIT = 60;
/** From which zoom on each level is shown. */
const LEVEL_ZOOM = [0, 2.2, 5] as const;
/** Free space around a label. */
const GAP = 4;
/** What was shown before is preferred to what weighs little more, so that labels don't flicker. */
const STAY = 1.2;
/** The side of a cell of the grid in which collisions are sought. */
const CELL = 64;

/** A label at its pixel. `width` and `height` are of its text. */
export interface LabelCandidate {
  readonly label: MapLabel;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function isInZoom(level: MapLabel["level"], zoom: number): boolean {
  return zoom >= LEVEL_ZOOM[level];
}

/** Where a label's text lies: clusters are named in their middle, others below their point. */
export function boxOf({ label, x, y, width, height }: LabelCandidate): { left: number; top: number; right: number; bottom: number } {
  const top = label.kind === "cluster" ? y - height / 2 : y + 6;
  return { left: x - width / 2, top, right: x + width / 2, bottom: top + height };
}

/** Choose the labels to show in a window, those of greater weight first. */
export function chooseLabels(
  candidates: readonly LabelCandidate[],
  size: { readonly width: number; readonly height: number },
  shownBefore: ReadonlySet<string>,
): LabelCandidate[] {
  const weight = ({ label }: LabelCandidate): number => label.weight * (shownBefore.has(label.id) ? STAY : 1);
  const cells = new Map<number, ReturnType<typeof boxOf>[]>();
  const chosen: LabelCandidate[] = [];
  for (const candidate of candidates.toSorted((one, other) => weight(other) - weight(one))) {
    const box = boxOf(candidate);
    if (box.right < 0 || box.bottom < 0 || box.left > size.width || box.top > size.height) continue;
    const touched = cellsOf(box);
    const collides = touched.some((cell) => cells.get(cell)?.some((other) => overlaps(box, other)));
    if (collides) continue;
    for (const cell of touched) cells.set(cell, [...(cells.get(cell) ?? []), box]);
    chosen.push(candidate);
    if (chosen.length === LABEL_LIMIT) break;
  }
  return chosen;
}

type Box = ReturnType<typeof boxOf>;

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right + GAP && other.left < one.right + GAP && one.top < other.bottom + GAP && other.top < one.bottom + GAP;
}

function cellsOf(box: Box): number[] {
  const cells: number[] = [];
  for (let x = Math.floor((box.left - GAP) / CELL); x <= Math.floor((box.right + GAP) / CELL); x += 1) {
    for (let y = Math.floor((box.top - GAP) / CELL); y <= Math.floor((box.bottom + GAP) / CELL); y += 1) {
      cells.push(x * 65_536 + y);
    }
  }
  return cells;
}

/** The label below a pixel. */
export function labelAt(chosen: readonly LabelCandidate[], x: number, y: number): MapLabel | undefined {
  return chosen.find((candidate) => {
    const box = boxOf(candidate);
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  })?.label;
}
