/** The labels of the map, in elements that are used again and again. */

import type { Projection } from "./camera";
import { project } from "./camera";
import type { LabelCandidate, PlacedLabel } from "./label-layout";
import { chooseLabels, isInZoom, labelAt } from "./label-layout";
import type { MapLabel } from "./values";

/** Longer texts end in an ellipsis; equal to the style of `.map-label`. */
const WIDTH_LIMIT = 208;
/** On both sides together. */
const PADDING = 8;
const LINE_HEIGHT = 16;
const FONTS: Readonly<Record<MapLabel["kind"], string>> = { cluster: "600 13px", entity: "500 12px", memory: "400 12px" };

export class LabelLayer {
  readonly #root: HTMLElement;
  readonly #context = document.createElement("canvas").getContext("2d");
  readonly #widths = new Map<string, number>();
  readonly #pool: HTMLElement[] = [];
  #labels: readonly MapLabel[] = [];
  #chosen: readonly PlacedLabel[] = [];
  #shown: ReadonlySet<string> = new Set();

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** The labels that are shown, with their places. */
  get chosen(): readonly PlacedLabel[] {
    return this.#chosen;
  }

  setLabels(labels: readonly MapLabel[]): void {
    this.#labels = labels;
  }

  at(x: number, y: number): MapLabel | undefined {
    return labelAt(this.#chosen, x, y);
  }

  /** The font of a kind of label, as a canvas takes it. */
  font(kind: MapLabel["kind"]): string {
    return `${FONTS[kind]} ${getComputedStyle(this.#root).fontFamily}`;
  }

  update(projection: Projection, morph: number, zoom: number): void {
    const candidates: LabelCandidate[] = [];
    for (const label of this.#labels) {
      if (!isInZoom(label.level, zoom)) continue;
      const [x, y] = label.position;
      const [x3, y3, z3] = label.position3d ?? [x, y, 0];
      const at = project(projection, x + morph * (x3 - x), y + morph * (y3 - y), morph * z3);
      if (at === undefined) continue;
      candidates.push({ label, x: at[0], y: at[1], width: this.#width(label), height: LINE_HEIGHT });
    }
    this.#chosen = chooseLabels(candidates, projection, this.#shown);
    this.#shown = new Set(this.#chosen.map(({ label }) => label.id));
    this.#show();
  }

  #width({ kind, text }: MapLabel): number {
    const key = `${kind} ${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    if (this.#context !== null) this.#context.font = this.font(kind);
    const width = Math.min(WIDTH_LIMIT, PADDING + Math.ceil(this.#context?.measureText(text).width ?? 7 * text.length));
    this.#widths.set(key, width);
    return width;
  }

  #show(): void {
    while (this.#pool.length < this.#chosen.length) {
      const element = document.createElement("span");
      this.#pool.push(element);
      this.#root.append(element);
    }
    for (const [place, element] of this.#pool.entries()) {
      const placed = this.#chosen[place];
      element.hidden = placed === undefined;
      if (placed === undefined) continue;
      const { label, box } = placed;
      if (element.textContent !== label.text) element.textContent = label.text;
      element.className = `map-label ${label.kind}`;
      element.style.transform = `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`;
    }
  }
}
