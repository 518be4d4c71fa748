/** What of the map a frame draws, and on which scene: it is created anew when the browser gives up its context. */

import type { Projection } from "./camera";
import { CanvasScene } from "./canvas-scene";
import type { SceneColours } from "./colours";
import { ColourResolver } from "./colours";
import type { Layers } from "./draw-order";
import { composeOrder, layersOf, sampled, spreadOrder } from "./draw-order";
import type { EdgeIndex } from "./edge-index";
import { drawnEdges, edgeIndex, edgesOf } from "./edge-index";
import type { FrameBudget } from "./frame-budget";
import { firstBudget, nextBudget } from "./frame-budget";
import { GlScene } from "./gl-scene";
import { isInZoom } from "./label-layout";
import type { Scene } from "./scene";
import { packStyles } from "./scene";
import type { Edges, MapLine, PointStyles, StarMap } from "./values";

/** A context that isn't restored within this time doesn't come back. */
const RESTORE_MS = 4_000;
/** Of more selected points the rings are enough: their edges would cover them. */
const MOST_WITH_EDGES = 40;
const NOTHING = new Uint32Array();

/** The moment that a frame shows. */
export interface Moment {
  readonly projection: Projection;
  readonly morph: number;
  readonly zoom: number;
  readonly isMoving: boolean;
  /** Where the points are on the screen; asked for in three dimensions only. */
  readonly projected: () => Float32Array;
}

/** Pairs of points, while the map rests and while it moves, and those of the selection. */
interface DrawnEdges {
  readonly still: Uint32Array;
  readonly moving: Uint32Array;
  readonly selected: Uint32Array;
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((value, place) => value === other[place]);
}

export class Painter {
  readonly #root: HTMLElement;
  readonly #onlost: () => void;
  readonly #resolver: ColourResolver;
  #scene: Scene;
  #budget: FrameBudget;
  #isGl = false;
  #restoring: ReturnType<typeof setTimeout> | undefined;
  #size = "";
  #ratio = 1;

  #map: StarMap | undefined;
  #styles: PointStyles | undefined;
  #packed: Uint8Array = new Uint8Array();
  #palette = "";
  #selected: ReadonlySet<number> = new Set();
  #edges: EdgeIndex | undefined;
  #lines: readonly MapLine[] = [];
  #colours: SceneColours | undefined;

  #spread: Uint32Array = NOTHING;
  #layers: Layers = [NOTHING, NOTHING, NOTHING];
  #order: Uint32Array = NOTHING;
  #drawn: Uint32Array = NOTHING;
  /** How many points the order was made for, and whether by depth. */
  #orderKey = "";
  #drawnEdges: DrawnEdges | undefined;

  /** Puts its canvas first into an element. `onlost` is called when all has to be drawn again. */
  constructor(root: HTMLElement, onlost: () => void) {
    this.#root = root;
    this.#onlost = onlost;
    this.#resolver = new ColourResolver(root);
    this.#scene = this.#opened(true);
    this.#budget = firstBudget(this.#scene.isSoftware);
  }

  get canvas(): HTMLCanvasElement {
    return this.#scene.canvas;
  }

  get colours(): SceneColours | undefined {
    return this.#colours;
  }

  get ratio(): number {
    return this.#ratio;
  }

  /** What draws: "webgl", "software" for WebGL by the processor, or "canvas". */
  get kind(): string {
    if (!this.#isGl) return "canvas";
    return this.#scene.isSoftware ? "software" : "webgl";
  }

  /** How many points the last frame drew. */
  get drawn(): number {
    return this.#drawn.length;
  }

  get edges(): EdgeIndex | undefined {
    return this.#edges;
  }

  /** Whether there are a map and its styles. */
  get isReady(): boolean {
    return this.#styles !== undefined;
  }

  setMap(map: StarMap): void {
    this.#map = map;
    this.#styles = undefined;
    this.#spread = spreadOrder(map.count);
    this.#layers = [NOTHING, NOTHING, NOTHING];
    this.#order = new Uint32Array(map.count);
    this.#orderKey = "";
    this.#edges = undefined;
    this.#drawnEdges = undefined;
    this.#scene.setMap(map);
  }

  /** Take over styles; returns whether they are others than before. */
  setStyles(map: StarMap, styles: PointStyles, selected: ReadonlySet<number>): boolean {
    const packed = packStyles(styles, selected, map.count);
    const palette = styles.palette.join();
    // A page derives them anew for reasons that don't matter here; drawing all points takes far longer.
    if (this.#styles !== undefined && palette === this.#palette && isEqual(packed, this.#packed)) return false;
    this.#styles = styles;
    this.#packed = packed;
    this.#selected = selected;
    if (palette !== this.#palette) this.#colours = undefined;
    this.#palette = palette;
    this.#layers = layersOf(styles.emphasis, this.#spread);
    this.#orderKey = "";
    this.#drawnEdges = undefined;
    this.#scene.setStyles(packed);
    return true;
  }

  setEdges(map: StarMap, edges: Edges | undefined): void {
    this.#edges = edges === undefined ? undefined : edgeIndex(edges, map.count);
    this.#drawnEdges = undefined;
  }

  setLines(lines: readonly MapLine[], zoom: number): void {
    this.#lines = lines;
    this.#scene.setLines(lines.filter(({ level }) => isInZoom(level, zoom)));
  }

  /** The theme has changed. */
  forgetColours(): void {
    this.#colours = undefined;
  }

  /** The last frame took so long; frames are measured while the map moves. */
  tookMs(ms: number): void {
    this.#budget = nextBudget(this.#budget, this.#drawn.length, ms, devicePixelRatio);
  }

  draw(moment: Moment): void {
    const { projection, morph, zoom, isMoving } = moment;
    if (this.#styles === undefined) return;
    this.#fit(projection);
    if (this.#colours === undefined) {
      this.#colours = this.#resolver.resolve(this.#styles.palette);
      this.#scene.setColours(this.#colours);
    }
    const isOrderNew = this.#arrange(moment);
    const isSampled = isMoving && this.#budget.points < Infinity;
    const edges = this.#edgesToDraw(this.#styles.emphasis);
    this.#scene.draw({
      projection,
      morph,
      zoom,
      order: this.#drawn,
      isOrderNew,
      faintEdges: isSampled ? NOTHING : isMoving ? edges.moving : edges.still,
      strongEdges: isSampled ? NOTHING : edges.selected,
      hasLines: !isSampled && this.#lines.length > 0,
    });
  }

  dispose(): void {
    clearTimeout(this.#restoring);
    this.#close();
  }

  /** Put the points to draw into order; returns whether it is another one than before. */
  #arrange({ isMoving, morph, projected }: Moment): boolean {
    const limit = isMoving ? this.#budget.points : Infinity;
    const key = `${String(limit)} ${String(morph)}`;
    if (key === this.#orderKey && morph === 0) return false;
    const count = composeOrder(sampled(this.#layers, limit), morph > 0 ? projected() : undefined, this.#order);
    this.#drawn = this.#order.subarray(0, count);
    this.#orderKey = key;
    return true;
  }

  #edgesToDraw(emphasis: Uint8Array): DrawnEdges {
    if (this.#drawnEdges === undefined) {
      const index = this.#edges;
      this.#drawnEdges =
        index === undefined
          ? { still: NOTHING, moving: NOTHING, selected: NOTHING }
          : {
              still: drawnEdges(index.edges, emphasis, false),
              moving: drawnEdges(index.edges, emphasis, true),
              selected: this.#selected.size > MOST_WITH_EDGES ? NOTHING : edgesOf(index, this.#selected, emphasis),
            };
    }
    return this.#drawnEdges;
  }

  /** Give the canvas the size of the window; each change clears it, so it's done just before it is drawn. */
  #fit({ width, height }: Projection): void {
    const ratio = Math.min(devicePixelRatio, this.#budget.ratio);
    const size = [width, height, ratio].join(" ");
    if (size === this.#size) return;
    this.#size = size;
    this.#ratio = ratio;
    this.#scene.resize(width, height, ratio);
  }

  #opened(mayUseGl: boolean): Scene {
    const canvas = document.createElement("canvas");
    this.#root.prepend(canvas);
    const scene = mayUseGl ? GlScene.on(canvas) : undefined;
    this.#isGl = scene !== undefined;
    if (scene === undefined) return new CanvasScene(canvas);
    canvas.addEventListener("webglcontextlost", this.#lost);
    canvas.addEventListener("webglcontextrestored", this.#restored);
    return scene;
  }

  #close(): void {
    const { canvas } = this.#scene;
    canvas.removeEventListener("webglcontextlost", this.#lost);
    canvas.removeEventListener("webglcontextrestored", this.#restored);
    this.#scene.dispose();
    canvas.remove();
  }

  #lost = (event: Event): void => {
    // Otherwise the browser doesn't restore it.
    event.preventDefault();
    // Now: the context that comes back doesn't know the objects of this one.
    this.#scene.release();
    clearTimeout(this.#restoring);
    this.#restoring = setTimeout(() => {
      this.#replace();
    }, RESTORE_MS);
  };

  #restored = (): void => {
    clearTimeout(this.#restoring);
    this.#onlost();
  };

  /** Go on without WebGL. */
  #replace(): void {
    this.#close();
    this.#scene = this.#opened(false);
    this.#budget = firstBudget(true);
    this.#size = "";
    this.#colours = undefined;
    this.#orderKey = "";
    if (this.#map !== undefined) {
      this.#scene.setMap(this.#map);
      if (this.#styles !== undefined) this.#scene.setStyles(this.#packed);
    }
    this.#onlost();
  }
}
