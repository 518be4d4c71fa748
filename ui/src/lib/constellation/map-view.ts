/** The map on the screen: where it is seen from, when it is drawn, and what is below a pixel. */

import type { Projection, View } from "./camera";
import { clamped, fitted, isSameCamera, placeAt, project, PROJECTED, projectAll, projectionOf } from "./camera";
import { watchTheme } from "./colours";
import { LabelLayer } from "./label-layer";
import { Motion } from "./motion";
import type { Direction, Pixel } from "./outline";
import { nearestPoint, neighbourTowards, pointsInside } from "./outline";
import { Overlay } from "./overlay";
import { Painter } from "./painter";
import { pictureOf } from "./picture";
import type { Camera, Edges, MapLabel, MapLine, PointStyles, StarMap } from "./values";
import { HIDDEN, WHOLE_MAP } from "./values";

/** The view has come to rest when nothing has moved it for so long. */
const REST_MS = 160;
/** What the keyboard walks to is kept so far from the border. */
const BORDER_PIXELS = 60;

/** The elements that the map is drawn to. */
export interface MapElements {
  readonly root: HTMLElement;
  readonly labels: HTMLElement;
  readonly overlay: SVGSVGElement;
}

export class MapView {
  readonly #root: HTMLElement;
  readonly #onrest: (camera: Camera) => void;
  readonly #painter: Painter;
  readonly #labels: LabelLayer;
  readonly #overlay: Overlay;
  readonly #motion = new Motion(WHOLE_MAP);
  readonly #observer: ResizeObserver;
  readonly #stopWatching: () => void;
  #map: StarMap | undefined;
  #emphasis: Uint8Array = new Uint8Array();
  #lines: readonly MapLine[] = [];
  #linesZoom = 0;
  #size = { width: 0, height: 0 };
  #isPlaced = false;
  /** Nothing moves by itself. */
  isStill = false;

  #projected = new Float32Array();
  #isProjected = false;
  #frame: number | undefined;
  #frames = 0;
  #isMoving = false;
  #movedAt: number | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  #current: number | undefined;
  #hovered: number | undefined;
  #outline: readonly Pixel[] = [];
  #cursor: Pixel | undefined;

  /** `onrest` is told where the view has come to rest. */
  constructor({ root, labels, overlay }: MapElements, onrest: (camera: Camera) => void) {
    this.#root = root;
    this.#onrest = onrest;
    this.#painter = new Painter(root, this.#invalidate);
    this.#labels = new LabelLayer(labels);
    this.#overlay = new Overlay(overlay);
    this.#observer = new ResizeObserver(() => {
      this.#resize();
    });
    this.#observer.observe(root);
    this.#resize();
    const unwatch = watchTheme(() => {
      this.#painter.forgetColours();
      this.#invalidate();
    });
    // A tab that was hidden may have lost what it had drawn.
    document.addEventListener("visibilitychange", this.#invalidate);
    this.#stopWatching = () => {
      unwatch();
      document.removeEventListener("visibilitychange", this.#invalidate);
    };
  }

  dispose(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
    this.#observer.disconnect();
    this.#stopWatching();
    this.#painter.dispose();
  }

  get view(): View {
    return { camera: this.#motion.camera, morph: this.#motion.morph, ...this.#size };
  }

  /** Whether it is seen in three dimensions, or is going to be. */
  get isTurned(): boolean {
    return this.#motion.destination.dimensions === 3 && this.#map?.xyz !== undefined;
  }

  setMap(map: StarMap): void {
    this.#map = map;
    this.#emphasis = new Uint8Array();
    this.#projected = new Float32Array(PROJECTED * map.count);
    this.#hovered = undefined;
    this.#motion.setDepth(map.xyz !== undefined);
    if (this.isStill || !this.#isPlaced) this.#motion.jump(this.#motion.destination);
    this.#painter.setMap(map);
    this.#changed();
  }

  /** Styles that don't fit the map are those of another one: nothing is drawn until they do. */
  setStyles(map: StarMap, styles: PointStyles, selected: ReadonlySet<number>): void {
    if (styles.emphasis.length !== map.count) return;
    this.#emphasis = styles.emphasis;
    if (this.#painter.setStyles(map, styles, selected)) this.#invalidate();
  }

  setEdges(map: StarMap, edges: Edges | undefined): void {
    this.#painter.setEdges(map, edges);
    this.#invalidate();
  }

  setLines(lines: readonly MapLine[]): void {
    this.#lines = lines;
    this.#linesZoom = 0;
    this.#invalidate();
  }

  setLabels(labels: readonly MapLabel[]): void {
    this.#labels.setLabels(labels);
    this.#label();
  }

  setCurrent(current: number | undefined): void {
    this.#current = current;
    this.#mark();
  }

  /** Show what is being drawn by the pointer or by keys. */
  setOutline(outline: readonly Pixel[], cursor: Pixel | undefined): void {
    this.#outline = outline;
    this.#cursor = cursor;
    this.#mark();
  }

  /** Go to a camera: at once the first time, and where nothing may move by itself. */
  go(camera: Camera): void {
    const to = clamped(camera);
    if (!this.#isPlaced) {
      this.#isPlaced = true;
      this.#motion.jump(to);
      this.#changed();
    } else if (!isSameCamera(to, this.#motion.destination)) {
      if (this.isStill) this.#motion.jump(to);
      else this.#motion.travel(to);
      this.#moved();
    }
  }

  /** Move as a pointer does. */
  move(camera: Camera): void {
    this.#motion.move(camera);
    this.#moved();
  }

  fit(indexes: Uint32Array | undefined): void {
    if (this.#map === undefined) return;
    this.go(fitted({ ...this.view, camera: this.#motion.destination }, this.#map, indexes));
  }

  /** The visible point at a pixel. */
  pointAt(at: Pixel, reach: number): number | undefined {
    return this.#motion.isGoing ? undefined : nearestPoint(this.#placed(), this.#emphasis, at, reach);
  }

  pointsInside(outline: readonly Pixel[]): Uint32Array {
    return pointsInside(outline, this.#placed(), this.#emphasis);
  }

  labelAt([x, y]: Pixel): MapLabel | undefined {
    return this.#labels.at(x, y);
  }

  /** The point to walk to from the current one; at first the one in the middle. */
  neighbour(direction: Direction): number | undefined {
    const { width, height } = this.#size;
    if (this.#current === undefined || this.#emphasis[this.#current] === HIDDEN) {
      return nearestPoint(this.#placed(), this.#emphasis, [width / 2, height / 2], Infinity);
    }
    return neighbourTowards(this.#placed(), this.#emphasis, this.#current, direction);
  }

  /** Move the view so that a point is well within it. */
  reveal(index: number): void {
    if (this.#map === undefined) return;
    const at = this.pixelOf(index);
    const { width, height } = this.#size;
    const isWithin = (value: number, size: number): boolean => value >= BORDER_PIXELS && value <= size - BORDER_PIXELS;
    if (at !== undefined && isWithin(at[0], width) && isWithin(at[1], height)) return;
    const [x, y, z] = placeAt(this.#map, index, this.#motion.morph);
    this.go({ ...this.#motion.destination, x, y, z });
  }

  /** Where a point is, in pixels; undefined if it isn't seen. */
  pixelOf(index: number | undefined): Pixel | undefined {
    if (this.#map === undefined || index === undefined || index >= this.#map.count || this.#emphasis[index] === HIDDEN) return undefined;
    return project(projectionOf(this.view), ...placeAt(this.#map, index, this.#motion.morph));
  }

  /** Mark what the pointer is at; returns whether that is something else than before. */
  hover(index: number | undefined): boolean {
    if (index === this.#hovered) return false;
    this.#hovered = index;
    this.#mark();
    return true;
  }

  picture(): Promise<Blob> {
    if (this.#painter.isReady) this.#draw();
    const { canvas, ratio, colours } = this.#painter;
    if (colours === undefined) return Promise.reject(new Error("There is nothing to draw yet."));
    return pictureOf({
      canvas,
      ratio,
      colours,
      labels: this.#labels.chosen,
      font: (kind) => this.#labels.font(kind),
      current: this.pixelOf(this.#current),
    });
  }

  #resize(): void {
    this.#size = { width: this.#root.clientWidth, height: this.#root.clientHeight };
    this.#changed();
  }

  /** Something has moved; a sample of the points is drawn until it comes to rest. */
  #moved(): void {
    this.#isMoving = true;
    clearTimeout(this.#rest);
    this.#changed();
  }

  /** Wait for the view to come to rest; counted from the last frame, since frames may be slow. */
  #restSoon(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      // A slow frame: the next one waits again.
      if (this.#motion.isGoing) return;
      this.#isMoving = false;
      this.#movedAt = undefined;
      this.#invalidate();
      this.#onrest(this.#motion.camera);
    }, REST_MS);
  }

  #changed(): void {
    this.#isProjected = false;
    this.#invalidate();
  }

  /** Draw once, with the next frame of the browser. */
  #invalidate = (): void => {
    this.#frame ??= requestAnimationFrame(this.#tick);
  };

  #tick = (now: number): void => {
    this.#frame = undefined;
    if (this.#size.width === 0 || this.#size.height === 0 || !this.#painter.isReady) return;
    if (this.#isMoving && this.#movedAt !== undefined) this.#painter.tookMs(now - this.#movedAt);
    if (this.#motion.tick(now)) this.#moved();
    this.#movedAt = this.#isMoving ? now : undefined;
    this.#draw();
    if (this.#isMoving) this.#restSoon();
  };

  #draw(): void {
    const { view } = this;
    const projection = projectionOf(view);
    const { zoom } = view.camera;
    // Lines appear by levels of zoom.
    if (this.#lines.length > 0 && zoom !== this.#linesZoom) {
      this.#linesZoom = zoom;
      this.#painter.setLines(this.#lines, zoom);
    }
    this.#painter.draw({ projection, morph: view.morph, zoom, isMoving: this.#isMoving, projected: () => this.#placed() });
    this.#label();
    this.#mark();
    this.#frames += 1;
    // Tests and benchmarks read these.
    this.#root.dataset.frames = String(this.#frames);
    this.#root.dataset.moving = String(this.#isMoving);
    this.#root.dataset.drawn = String(this.#painter.drawn);
    this.#root.dataset.renderer = this.#painter.kind;
  }

  /** Put the labels where they belong; doesn't draw the points again. */
  #label(): void {
    const { camera, morph } = this.view;
    this.#labels.update(this.#projection(), morph, camera.zoom);
  }

  /** Put the marks above the points where they belong; doesn't draw the points again. */
  #mark(): void {
    const [hovered, current] = [this.pixelOf(this.#hovered), this.pixelOf(this.#current)];
    const edges: (readonly [Pixel, Pixel])[] = [];
    for (const index of new Set([this.#hovered, this.#current])) {
      const from = this.pixelOf(index);
      if (from === undefined || index === undefined) continue;
      for (const other of this.#painter.edges?.neighbours(index) ?? []) {
        const to = this.pixelOf(other);
        if (to !== undefined) edges.push([from, to]);
      }
    }
    this.#overlay.update({ hovered, current, edges, outline: this.#outline, cursor: this.#cursor });
  }

  /** Where all points are on the screen. */
  #placed(): Float32Array {
    if (!this.#isProjected && this.#map !== undefined) {
      projectAll(this.#projection(), this.#map, this.#motion.morph, this.#projected);
      this.#isProjected = true;
    }
    return this.#projected;
  }

  #projection(): Projection {
    return projectionOf(this.view);
  }
}
