/** What is drawn above the points: rings about the hovered and the current one, their edges, and what is being selected. */

import type { Pixel } from "./outline";

const SVG = "http://www.w3.org/2000/svg";

/** Where it all is, in pixels. */
export interface OverlayState {
  readonly hovered: Pixel | undefined;
  readonly current: Pixel | undefined;
  readonly edges: readonly (readonly [Pixel, Pixel])[];
  /** What the pointer or the keyboard has drawn so far. */
  readonly outline: readonly Pixel[];
  /** Where the keyboard draws. */
  readonly cursor: Pixel | undefined;
}

const pair = ([x, y]: Pixel): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

export class Overlay {
  readonly #edges: SVGPathElement;
  readonly #hovered: SVGCircleElement;
  readonly #current: SVGCircleElement;
  readonly #outline: SVGPathElement;
  readonly #cursor: SVGPathElement;

  constructor(svg: SVGSVGElement) {
    const add = <K extends "path" | "circle">(kind: K, name: string): SVGElementTagNameMap[K] => {
      const element = document.createElementNS(SVG, kind);
      element.setAttribute("class", name);
      if (kind === "circle") element.setAttribute("r", name === "current" ? "9" : "8");
      svg.append(element);
      return element;
    };
    this.#edges = add("path", "edges");
    this.#hovered = add("circle", "hovered");
    this.#current = add("circle", "current");
    this.#outline = add("path", "outline");
    this.#cursor = add("path", "cursor");
  }

  update({ hovered, current, edges, outline, cursor }: OverlayState): void {
    this.#edges.setAttribute("d", edges.map(([from, to]) => `M${pair(from)}L${pair(to)}`).join(""));
    ring(this.#hovered, hovered);
    ring(this.#current, current);
    this.#outline.setAttribute("d", outline.length > 1 ? `M${outline.map(pair).join("L")}Z` : "");
    this.#cursor.setAttribute("d", cursor === undefined ? "" : `M${pair(cursor)}m-10 0h20m-10 -10v20`);
  }
}

function ring(element: SVGCircleElement, at: Pixel | undefined): void {
  element.style.display = at === undefined ? "none" : "";
  if (at === undefined) return;
  element.setAttribute("cx", at[0].toFixed(1));
  element.setAttribute("cy", at[1].toFixed(1));
}
