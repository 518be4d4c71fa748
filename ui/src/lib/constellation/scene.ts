/** What draws points and edges: WebGL, or a canvas in two dimensions without it. */

import type { Projection } from "./camera";
import type { SceneColours } from "./colours";
import type { MapLine, PointStyles, StarMap } from "./values";

/** Bits of a point's state beside its emphasis. */
export const EMPHASIS_BITS = 3;
export const SELECTED_BIT = 4;
/** Per point: colour, shape, size, state. */
export const STYLE_BYTES = 4;

/** How opaque points are by their emphasis, and how much larger than usual. */
export const OPACITY = [0, 0.22, 0.9, 1] as const;
export const LIT_GROWTH = 1.35;
/** How far the ring about a selected point reaches, and at least how much of that where points are small. */
export const RING_PX = 3;
export const THIN_RING = 0.4;
export const EDGE_OPACITY = { faint: 0.22, strong: 0.4, line: 0.45 } as const;

/** What one frame shows. */
export interface Frame {
  readonly projection: Projection;
  readonly morph: number;
  readonly zoom: number;
  /** The points to draw, in order; the same array as long as nothing of it has changed. */
  readonly order: Uint32Array;
  readonly isOrderNew: boolean;
  /** Pairs of points. */
  readonly faintEdges: Uint32Array;
  readonly strongEdges: Uint32Array;
  readonly hasLines: boolean;
}

export interface Scene {
  readonly canvas: HTMLCanvasElement;
  /** Drawn by the processor, so that frames are slow. */
  readonly isSoftware: boolean;
  setMap: (map: StarMap) => void;
  /** `STYLE_BYTES` per point. */
  setStyles: (packed: Uint8Array) => void;
  setColours: (colours: SceneColours) => void;
  setLines: (lines: readonly MapLine[]) => void;
  resize: (width: number, height: number, ratio: number) => void;
  draw: (frame: Frame) => void;
  /** Let go of what the browser has taken away; drawing creates it anew. */
  release: () => void;
  dispose: () => void;
}

/** Write the styles of all points as the scene takes them. */
export function packStyles(styles: PointStyles, selected: ReadonlySet<number>, count: number): Uint8Array {
  const packed = new Uint8Array(STYLE_BYTES * count);
  for (let index = 0; index < count; index += 1) {
    packed[STYLE_BYTES * index] = styles.colour[index] ?? 0;
    packed[STYLE_BYTES * index + 1] = styles.shape[index] ?? 0;
    packed[STYLE_BYTES * index + 2] = styles.size[index] ?? 0;
    packed[STYLE_BYTES * index + 3] = styles.emphasis[index] ?? 0;
  }
  for (const index of selected) {
    const state = STYLE_BYTES * index + 3;
    packed[state] = (packed[state] ?? 0) | SELECTED_BIT;
  }
  return packed;
}

/** Up to so many points have their full size. */
const ROOMY = 5_000;

/** By which factor points are larger: they grow slower than what is between them, and many are smaller. */
export function pointGrowth(zoom: number, count: number): number {
  const crowded = Math.max(0.45, Math.min(1, (ROOMY / Math.max(1, count)) ** 0.25));
  return Math.max(0.85 * crowded, Math.min(3, crowded * zoom ** 0.35));
}
