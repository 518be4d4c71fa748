/** Which labels are shown, and where: by level of zoom and by weight, without collisions. */

import type { MapLabel } from "./values";

/** How many labels are shown besides those that are pinned. */
export const LABEL_LIMIT = 60;
/** From which zoom on each level is shown. */
const LEVEL_ZOOM = [0, 2.2, 5] as const;
/** Free space around a label. */
const GAP = 4;
/** Between a point and its label. */
const AWAY = 6;
/** How many lines the name of a cluster may be moved up or down; farther away it would seem to be another one's. */
const CLUSTER_LINES = 4;
/** How many lines a pinned label may be moved, and how many of its places are near its point. */
const PINNED_LINES = 6;
const NEAR_PLACES = 20;
/** More pinned labels would leave no room for the names of clusters: they keep away from them as far as they can. */
const FEW_PINNED = 20;
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

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A label with the pixels that its text takes. */
export interface PlacedLabel {
  readonly label: MapLabel;
  readonly box: Box;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export function isInZoom(level: MapLabel["level"], zoom: number): boolean {
  return zoom >= LEVEL_ZOOM[level];
}

/** Where a label's text may lie, the best place first: a cluster's in its middle, a point's beside it; and farther away. */
function placesOf({ label, x, y, width, height }: LabelCandidate): Box[] {
  const at = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + height });
  const [centred, right, left] = [x - width / 2, x + AWAY, x - AWAY - width];
  const [middle, below, above] = [y - height / 2, y + AWAY, y - AWAY - height];
  const lines = (count: number): number[] => Array.from({ length: count }, (_, index) => (index + 1) * (height + GAP));
  if (label.kind === "cluster") {
    const moved = label.level === 0 ? lines(CLUSTER_LINES).flatMap((by) => [at(centred, middle - by), at(centred, middle + by)]) : [];
    return [at(centred, middle), ...moved];
  }
  const sides = [at(centred, below), at(centred, above), at(right, middle), at(left, middle)];
  if (!label.isPinned) return sides;
  const corners = [at(right, below), at(right, above), at(left, below), at(left, above)];
  const moved = (by: number): Box[] => [centred, right, left].flatMap((side) => [at(side, below + by), at(side, above - by)]);
  return [...sides, ...corners, ...lines(PINNED_LINES).flatMap(moved)];
}

/** Choose the labels to show in a window: what is pinned, then those of greater weight. */
export function chooseLabels(candidates: readonly LabelCandidate[], size: Size, shownBefore: ReadonlySet<string>): PlacedLabel[] {
  const weight = ({ label }: LabelCandidate): number => label.weight * (shownBefore.has(label.id) ? STAY : 1);
  const byWeight = candidates.toSorted((one, other) => weight(other) - weight(one));
  const taken = new Boxes();
  const chosen: PlacedLabel[] = [];
  const place = ({ label, x, y }: LabelCandidate, all: readonly Box[], avoided?: Boxes): boolean => {
    // What lies outside of the window isn't named from farther away.
    const places = isSeen({ left: x, top: y, right: x, bottom: y }, size) ? all : all.slice(0, 1);
    const isFree = (one: Box): boolean => taken.isFree(one) && avoided?.isFree(one) !== false;
    // One that is seen as a whole is better, wherever it is.
    const box = places.find((one) => isWithin(one, size) && isFree(one)) ?? places.find((one) => isSeen(one, size) && isFree(one));
    if (box === undefined) return false;
    taken.add(box);
    chosen.push({ label, box });
    return true;
  };
  // What is pinned leaves the names of the coarsest clusters where they are as long as there is room beside them.
  const names = new Boxes();
  for (const candidate of byWeight) {
    const [usual] = placesOf(candidate);
    if (candidate.label.kind === "cluster" && candidate.label.level === 0 && usual !== undefined && names.isFree(usual)) names.add(usual);
  }
  const isCrowded = candidates.filter(({ label }) => label.isPinned).length > FEW_PINNED;
  for (const candidate of byWeight) {
    if (!candidate.label.isPinned) continue;
    const places = placesOf(candidate);
    if (!place(candidate, isCrowded ? places : places.slice(0, NEAR_PLACES), names)) place(candidate, places);
  }
  const most = chosen.length + LABEL_LIMIT;
  for (const candidate of byWeight) {
    if (chosen.length === most) break;
    if (!candidate.label.isPinned) place(candidate, placesOf(candidate));
  }
  return chosen;
}

/** Boxes in the cells of a grid. */
class Boxes {
  readonly #cells = new Map<number, Box[]>();

  isFree(box: Box): boolean {
    return !cellsOf(box).some((cell) => this.#cells.get(cell)?.some((other) => overlaps(box, other)));
  }

  add(box: Box): void {
    for (const cell of cellsOf(box)) this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), box]);
  }
}

function isSeen(box: Box, { width, height }: Size): boolean {
  return box.right >= 0 && box.bottom >= 0 && box.left <= width && box.top <= height;
}

function isWithin(box: Box, { width, height }: Size): boolean {
  return box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
}

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
export function labelAt(chosen: readonly PlacedLabel[], x: number, y: number): MapLabel | undefined {
  return chosen.find(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)?.label;
}
