/** Draws the map without WebGL: points alone, on a canvas in two dimensions. */

import { placeAt, project } from "./camera";
import type { SceneColours } from "./colours";
import { cssColour } from "./colours";
import type { Frame, Scene } from "./scene";
import { EMPHASIS_BITS, LIT_GROWTH, OPACITY, pointGrowth, RING_PX, SELECTED_BIT, STYLE_BYTES, THIN_RING } from "./scene";
import type { Shape, StarMap } from "./values";
import { LIT, SHAPES } from "./values";

/** Smaller points are squares: nobody sees a shape, and it takes a tenth of the time. */
const LEAST_SHAPE = 5;

export class CanvasScene implements Scene {
  readonly canvas: HTMLCanvasElement;
  readonly isSoftware = true;
  readonly #context: CanvasRenderingContext2D | null;
  #map: StarMap | undefined;
  #styles: Uint8Array = new Uint8Array();
  #colours: SceneColours | undefined;
  #ratio = 1;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#context = canvas.getContext("2d", { alpha: false });
  }

  setMap(map: StarMap): void {
    this.#map = map;
    this.#styles = new Uint8Array(STYLE_BYTES * map.count);
  }

  setStyles(packed: Uint8Array): void {
    this.#styles = packed;
  }

  setColours(colours: SceneColours): void {
    this.#colours = colours;
  }

  /** Lines take too long to draw here. */
  setLines(): void {
    // See above.
  }

  resize(width: number, height: number, ratio: number): void {
    this.#ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  draw({ projection, morph, zoom, order }: Frame): void {
    const [context, map, colours] = [this.#context, this.#map, this.#colours];
    if (context === null || map === undefined || colours === undefined) return;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.fillStyle = cssColour(colours.background);
    context.fillRect(0, 0, projection.width, projection.height);
    const fills = colours.palette.map((colour) => OPACITY.map((opacity) => cssColour(colour, opacity)));
    const growth = pointGrowth(zoom, map.count);
    context.strokeStyle = cssColour(colours.ink);
    const ring = RING_PX * Math.max(THIN_RING, Math.min(1, growth));
    context.lineWidth = 0.6 * ring;
    for (const index of order) {
      const at = project(projection, ...placeAt(map, index, morph));
      if (at === undefined) continue;
      const [colour = 0, shape = 0, size = 0, state = 0] = this.#styles.subarray(STYLE_BYTES * index, STYLE_BYTES * (index + 1));
      const emphasis = state & EMPHASIS_BITS;
      const radius = 0.5 * size * growth * (emphasis === LIT ? LIT_GROWTH : 1);
      context.fillStyle = fills[colour]?.[emphasis] ?? "";
      if (2 * radius < LEAST_SHAPE) context.fillRect(at[0] - radius, at[1] - radius, 2 * radius, 2 * radius);
      else fillShape(context, SHAPES[shape] ?? "disc", ...at, radius);
      if ((state & SELECTED_BIT) === 0) continue;
      context.beginPath();
      context.arc(...at, radius + 0.7 * ring, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  release(): void {
    // It has nothing that the browser takes away.
  }

  dispose(): void {
    this.#map = undefined;
  }
}

/** Fill a shape as the shaders draw it. */
function fillShape(context: CanvasRenderingContext2D, shape: Shape, x: number, y: number, radius: number): void {
  const arm = 0.34 * radius;
  context.beginPath();
  switch (shape) {
    case "disc":
      context.arc(x, y, radius, 0, 2 * Math.PI);
      break;
    case "ring":
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.arc(x, y, 0.52 * radius, 0, 2 * Math.PI, true);
      break;
    case "square":
      context.rect(x - 0.86 * radius, y - 0.86 * radius, 1.72 * radius, 1.72 * radius);
      break;
    case "diamond":
      polygon(context, x, y, 1.15 * radius, 4);
      break;
    case "triangle":
      polygon(context, x, y, 1.16 * radius, 3);
      break;
    case "cross":
      context.rect(x - radius, y - arm, 2 * radius, 2 * arm);
      context.rect(x - arm, y - radius, 2 * arm, radius - arm);
      context.rect(x - arm, y + arm, 2 * arm, radius - arm);
      break;
  }
  context.fill();
}

function polygon(context: CanvasRenderingContext2D, x: number, y: number, radius: number, corners: number): void {
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = (2 * Math.PI * corner) / corners;
    context.lineTo(x + radius * Math.sin(angle), y - radius * Math.cos(angle));
  }
}
