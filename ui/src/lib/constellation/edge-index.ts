/** Which edges are drawn: those of a point, of the selection, and as many of the strongest as a frame allows. */

import { DIMMED, HIDDEN } from "./values";
import type { Edges } from "./values";

/** All edges are drawn up to here, while nothing moves. */
const ALL_EDGES = 20_000;
/** How many of the strongest are drawn otherwise. */
const STRONGEST = 2_000;
const SELECTED_EDGES = 2_000;

/** The edges of a map by their points. */
export interface EdgeIndex {
  readonly edges: Edges;
  /** The points joined to a point. */
  readonly neighbours: (index: number) => Uint32Array;
}

export function edgeIndex(edges: Edges, points: number): EdgeIndex {
  const starts = new Uint32Array(points + 1);
  for (const end of edges) starts[end + 1] = (starts[end + 1] ?? 0) + 1;
  for (let index = 0; index < points; index += 1) starts[index + 1] = (starts[index + 1] ?? 0) + (starts[index] ?? 0);
  const others = new Uint32Array(edges.length);
  const filled = starts.slice();
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [one, other] = [edges[edge] ?? 0, edges[edge + 1] ?? 0];
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const place = filled[from] ?? 0;
      others[place] = to;
      filled[from] = place + 1;
    }
  }
  return { edges, neighbours: (index) => others.subarray(starts[index] ?? 0, starts[index + 1] ?? 0) };
}

const standsOut = (emphasis: number | undefined): boolean => (emphasis ?? HIDDEN) > DIMMED;

/** Edges between points that stand out, the closest first: all if there are few and nothing moves, otherwise the strongest. */
export function drawnEdges(edges: Edges, emphasis: Uint8Array, isMoving: boolean): Uint32Array {
  const drawn: number[] = [];
  for (let edge = 0; edge < edges.length; edge += 2) {
    const [one, other] = [edges[edge] ?? 0, edges[edge + 1] ?? 0];
    if (!standsOut(emphasis[one]) || !standsOut(emphasis[other])) continue;
    drawn.push(one, other);
    if (drawn.length > 2 * ALL_EDGES || (isMoving && drawn.length >= 2 * STRONGEST)) break;
  }
  return Uint32Array.from(drawn.length > 2 * ALL_EDGES ? drawn.slice(0, 2 * STRONGEST) : drawn);
}

/** Edges that touch one of these points, between visible points. */
export function edgesOf(index: EdgeIndex, points: Iterable<number>, emphasis: Uint8Array): Uint32Array {
  const drawn: number[] = [];
  for (const point of points) {
    if (emphasis[point] === HIDDEN) continue;
    for (const other of index.neighbours(point)) {
      if (emphasis[other] !== HIDDEN) drawn.push(point, other);
    }
    if (drawn.length >= 2 * SELECTED_EDGES) break;
  }
  return Uint32Array.from(drawn);
}
