/** Draws the map by WebGL 2: the points in one draw, and edges in another where there are some. */

import {
  BufferAttribute,
  BufferGeometry,
  Camera as ThreeCamera,
  Color,
  DynamicDrawUsage,
  GLSL3,
  LineSegments,
  Matrix4,
  Points,
  RawShaderMaterial,
  Scene as ThreeScene,
  SRGBColorSpace,
  Vector3,
  Vector4,
  WebGLRenderer,
} from "three";

import { clipMatrix } from "./camera";
import type { Rgb, SceneColours } from "./colours";
import { PALETTE_LIMIT } from "./colours";
import type { Frame, Scene } from "./scene";
import { EDGE_OPACITY, pointGrowth, STYLE_BYTES } from "./scene";
import { LINE_FRAGMENT, LINE_VERTEX, POINT_FRAGMENT, POINT_VERTEX } from "./shaders";
import type { MapLine, StarMap } from "./values";

/** What WebGL calls the drivers that draw by the processor. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Uniforms that every material shares. */
interface Shared {
  readonly view: { readonly value: Matrix4 };
  readonly morph: { value: number };
}

function isSoftwareContext(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL);
  return typeof name === "string" && SOFTWARE.test(name);
}

/** Lines between places, drawn in one colour. */
class Lines {
  readonly object: LineSegments<BufferGeometry, RawShaderMaterial>;
  readonly #opacity: number;
  readonly #colour = new Vector4();

  constructor(shared: Shared, opacity: number) {
    this.#opacity = opacity;
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: LINE_VERTEX,
      fragmentShader: LINE_FRAGMENT,
      uniforms: { ...shared, line: { value: this.#colour } },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.object = new LineSegments(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  setPlaces(place2: BufferAttribute, place3: BufferAttribute): void {
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry().setAttribute("place2", place2).setAttribute("place3", place3);
    this.object.visible = false;
  }

  setColour([red, green, blue]: Rgb): void {
    this.#colour.set(red, green, blue, this.#opacity);
  }

  /** Draw these pairs of places. */
  setPairs(pairs: Uint32Array): void {
    this.object.visible = pairs.length > 0;
    if (this.object.geometry.index?.array === pairs || pairs.length === 0) return;
    this.object.geometry.setIndex(new BufferAttribute(pairs, 1));
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

export class GlScene implements Scene {
  readonly canvas: HTMLCanvasElement;
  readonly isSoftware: boolean;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new ThreeScene();
  // The shaders project by themselves.
  readonly #camera = new ThreeCamera();
  readonly #shared: Shared = { view: { value: new Matrix4() }, morph: { value: 0 } };
  readonly #look = {
    ratio: { value: 1 },
    growth: { value: 1 },
    palette: { value: new Float32Array(3 * PALETTE_LIMIT) },
    background: { value: new Vector3() },
    ink: { value: new Vector3() },
  };
  readonly #points: Points<BufferGeometry, RawShaderMaterial>;
  readonly #faint = new Lines(this.#shared, EDGE_OPACITY.faint);
  readonly #strong = new Lines(this.#shared, EDGE_OPACITY.strong);
  readonly #lines = new Lines(this.#shared, EDGE_OPACITY.line);
  #linePairs = new Uint32Array();

  /** Returns undefined without WebGL 2; the canvas can then still be drawn to otherwise. */
  static on(canvas: HTMLCanvasElement): GlScene | undefined {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false, stencil: false });
    return gl === null ? undefined : new GlScene(canvas, gl);
  }

  private constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext) {
    this.canvas = canvas;
    this.isSoftware = isSoftwareContext(gl);
    this.#renderer = new WebGLRenderer({ canvas, context: gl, alpha: false, antialias: false, depth: false, stencil: false });
    this.#renderer.sortObjects = false;
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: POINT_VERTEX,
      fragmentShader: POINT_FRAGMENT,
      uniforms: { ...this.#shared, ...this.#look },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    this.#points = new Points(new BufferGeometry(), material);
    this.#points.frustumCulled = false;
    this.#scene.matrixWorldAutoUpdate = false;
    this.#scene.add(this.#faint.object, this.#strong.object, this.#lines.object, this.#points);
  }

  setMap(map: StarMap): void {
    const place2 = new BufferAttribute(map.xy, 2);
    const place3 = new BufferAttribute(map.xyz ?? new Float32Array(3 * map.count), 3);
    const order = new BufferAttribute(new Uint32Array(map.count), 1).setUsage(DynamicDrawUsage);
    this.#points.geometry.dispose();
    const geometry = new BufferGeometry()
      .setAttribute("place2", place2)
      .setAttribute("place3", place3)
      .setAttribute("style", new BufferAttribute(new Uint8Array(STYLE_BYTES * map.count), STYLE_BYTES))
      .setIndex(order);
    geometry.setDrawRange(0, 0);
    this.#points.geometry = geometry;
    for (const lines of [this.#faint, this.#strong]) lines.setPlaces(place2, place3);
  }

  setStyles(packed: Uint8Array): void {
    const style = this.#points.geometry.getAttribute("style") as BufferAttribute;
    style.array.set(packed);
    style.needsUpdate = true;
  }

  setColours(colours: SceneColours): void {
    this.#look.background.value.fromArray(colours.background);
    this.#look.ink.value.fromArray(colours.ink);
    this.#look.palette.value.set(colours.palette.flat());
    this.#renderer.setClearColor(new Color().setRGB(...colours.background, SRGBColorSpace), 1);
    for (const lines of [this.#faint, this.#lines]) lines.setColour(colours.edge);
    this.#strong.setColour(colours.ink);
  }

  setLines(lines: readonly MapLine[]): void {
    const place2 = Float32Array.from(lines.flatMap(({ from, to }) => [...from, ...to]));
    const place3 = Float32Array.from(lines.flatMap(({ from, to, from3d, to3d }) => [...(from3d ?? [...from, 0]), ...(to3d ?? [...to, 0])]));
    this.#lines.setPlaces(new BufferAttribute(place2, 2), new BufferAttribute(place3, 3));
    this.#linePairs = Uint32Array.from({ length: 2 * lines.length }, (_, end) => end);
  }

  resize(width: number, height: number, ratio: number): void {
    this.#renderer.setPixelRatio(ratio);
    this.#renderer.setSize(width, height, false);
    this.#look.ratio.value = ratio;
  }

  draw(frame: Frame): void {
    this.#shared.view.value.fromArray(clipMatrix(frame.projection));
    this.#shared.morph.value = frame.morph;
    this.#look.growth.value = pointGrowth(frame.zoom, this.#points.geometry.getAttribute("style").count);
    const { geometry } = this.#points;
    if (frame.isOrderNew && geometry.index !== null) {
      geometry.index.array.set(frame.order);
      geometry.index.clearUpdateRanges();
      geometry.index.addUpdateRange(0, frame.order.length);
      geometry.index.needsUpdate = true;
      geometry.setDrawRange(0, frame.order.length);
    }
    this.#faint.setPairs(frame.faintEdges);
    this.#strong.setPairs(frame.strongEdges);
    this.#lines.setPairs(frame.hasLines ? this.#linePairs : new Uint32Array());
    this.#renderer.render(this.#scene, this.#camera);
  }

  release(): void {
    for (const lines of [this.#faint, this.#strong, this.#lines]) lines.dispose();
    this.#points.geometry.dispose();
    this.#points.material.dispose();
  }

  dispose(): void {
    this.release();
    this.#renderer.dispose();
    // A browser has few contexts, and collects them late.
    this.#renderer.forceContextLoss();
  }
}
