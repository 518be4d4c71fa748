/** In which order points are drawn, and which of them while the map moves and not all can be. */

import { PROJECTED } from "./camera";
import { HIDDEN, LIT } from "./values";

const GOLDEN_RATIO = 0.618_033_988_749_895;
const DEPTHS = 1_024;
/** Points at this share of the eye's distance and at twice that have the first and last depth. */
const DEPTH_RANGE = [0.15, 2] as const;

/** The numbers below `count`, so that each stretch from the start is spread evenly over all of them. */
export function spreadOrder(count: number): Uint32Array {
  const order = new Uint32Array(count);
  // A step near the golden ratio that shares no divisor with the count visits each number once.
  let step = Math.max(1, Math.round(count * GOLDEN_RATIO));
  while (divisor(step, count) > 1) step += 1;
  for (let place = 0, index = 0; place < count; place += 1, index = (index + step) % count) order[place] = index;
  return order;
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

/** The visible points, in layers: dimmed, shown, lit; each layer in spread order. */
export type Layers = readonly [Uint32Array, Uint32Array, Uint32Array];

export function layersOf(emphasis: Uint8Array, spread: Uint32Array): Layers {
  const sizes = [0, 0, 0, 0];
  for (const shown of emphasis) sizes[shown] = (sizes[shown] ?? 0) + 1;
  const layers: Layers = [new Uint32Array(sizes[1] ?? 0), new Uint32Array(sizes[2] ?? 0), new Uint32Array(sizes[LIT] ?? 0)];
  const filled = [0, 0, 0];
  for (const index of spread) {
    const shown = emphasis[index] ?? HIDDEN;
    if (shown === HIDDEN) continue;
    const place = filled[shown - 1] ?? 0;
    const layer = layers[shown - 1];
    if (layer === undefined) continue;
    layer[place] = index;
    filled[shown - 1] = place + 1;
  }
  return layers;
}

/** At most `limit` points, the lit ones first to be kept; in the order in which they are drawn. */
export function sampled(layers: Layers, limit: number): Layers {
  const [dimmed, shown, lit] = layers;
  if (dimmed.length + shown.length + lit.length <= limit) return layers;
  const kept = Math.min(lit.length, limit);
  const rest = limit - kept;
  const share = rest / Math.max(1, dimmed.length + shown.length);
  return [
    dimmed.subarray(0, Math.floor(share * dimmed.length)),
    shown.subarray(0, Math.floor(share * shown.length)),
    lit.subarray(0, kept),
  ];
}

/** Put the layers one after the other; each from far to near where `projected` is given. Returns how many there are. */
export function composeOrder(layers: Layers, projected: Float32Array | undefined, into: Uint32Array): number {
  let start = 0;
  for (const layer of layers) {
    if (projected === undefined) into.set(layer, start);
    else sortByDepth(layer, projected, into.subarray(start, start + layer.length));
    start += layer.length;
  }
  return start;
}

/** Sort by distance from the eye, the farthest first, by counting. */
function sortByDepth(layer: Uint32Array, projected: Float32Array, into: Uint32Array): void {
  const [near, far] = DEPTH_RANGE;
  const starts = new Uint32Array(DEPTHS + 1);
  const depthOf = (index: number): number => {
    const share = (far - (projected[PROJECTED * index + 2] ?? 1)) / (far - near);
    return Math.max(0, Math.min(DEPTHS - 1, Math.floor(share * DEPTHS)));
  };
  for (const index of layer) {
    const depth = depthOf(index) + 1;
    starts[depth] = (starts[depth] ?? 0) + 1;
  }
  for (let depth = 1; depth <= DEPTHS; depth += 1) starts[depth] = (starts[depth] ?? 0) + (starts[depth - 1] ?? 0);
  for (const index of layer) {
    const depth = depthOf(index);
    const place = starts[depth] ?? 0;
    into[place] = index;
    starts[depth] = place + 1;
  }
}
