/** The colours of the map, as the theme has them. */

/** Red, green and blue, from 0 to 1. */
export type Rgb = readonly [number, number, number];

export interface SceneColours {
  readonly background: Rgb;
  /** Of rings about what is selected. */
  readonly ink: Rgb;
  readonly edge: Rgb;
  readonly palette: readonly Rgb[];
}

/** How many colours the palette of a map may have. */
export const PALETTE_LIMIT = 32;

/** Resolves colours of CSS, variables and system colours among them, where an element stands. */
export class ColourResolver {
  readonly #probe: HTMLElement;
  readonly #context: CanvasRenderingContext2D | null;

  constructor(within: HTMLElement) {
    this.#probe = document.createElement("span");
    this.#probe.hidden = true;
    // With forced colours an element's own ones are replaced, unless it opts out.
    this.#probe.style.setProperty("forced-color-adjust", "none");
    within.append(this.#probe);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    this.#context = canvas.getContext("2d", { willReadFrequently: true });
  }

  resolve(palette: readonly string[]): SceneColours {
    return {
      background: this.#rgb("var(--pane)"),
      ink: this.#rgb("var(--ink)"),
      edge: this.#rgb("var(--edge)"),
      palette: palette.slice(0, PALETTE_LIMIT).map((colour) => this.#rgb(colour)),
    };
  }

  #rgb(colour: string): Rgb {
    this.#probe.style.color = "";
    this.#probe.style.color = colour;
    const resolved = getComputedStyle(this.#probe).color;
    if (this.#context === null) return [0.5, 0.5, 0.5];
    // Whatever notation the browser answers in, a pixel has bytes.
    this.#context.fillStyle = resolved;
    this.#context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = this.#context.getImageData(0, 0, 1, 1).data;
    return [red / 255, green / 255, blue / 255];
  }
}

/** Call back when the theme or contrast changes, or colours are forced; returns a function that stops. */
export function watchTheme(onchange: () => void): () => void {
  const observer = new MutationObserver(onchange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-contrast"] });
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener("change", onchange);
  return () => {
    observer.disconnect();
    for (const query of queries) query.removeEventListener("change", onchange);
  };
}

export function cssColour([red, green, blue]: Rgb, alpha = 1): string {
  return `rgb(${[red, green, blue].map((part) => String(Math.round(255 * part))).join(" ")} / ${String(alpha)})`;
}
