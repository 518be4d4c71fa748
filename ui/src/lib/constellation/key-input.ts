/** What keys do on the focused map. */

import type { Direction, Pixel } from "./outline";
import { boxOutline } from "./outline";
import { changeOf } from "./pointer-input";
import type { PointerMode, SelectionChange } from "./values";

/** What keys act on. */
export interface KeyTarget {
  mode: PointerMode;
  readonly isTurned: boolean;
  readonly size: { readonly width: number; readonly height: number };
  /** Where a box that is drawn by keys begins: at the current point if it's in sight. */
  readonly cursorStart: Pixel;
  walk: (direction: Direction) => void;
  open: () => void;
  toggleCurrent: () => void;
  fit: () => void;
  zoom: (factor: number) => void;
  pan: (dx: number, dy: number) => void;
  orbit: (dx: number, dy: number) => void;
  draw: (outline: readonly Pixel[]) => void;
  moveCursor: (at: Pixel | undefined) => void;
  select: (outline: readonly Pixel[], change: SelectionChange) => void;
}

type KeyPress = Pick<KeyboardEvent, "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey">;

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
const STEPS: Readonly<Record<Direction, Pixel>> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
const MOVE_PIXELS = 60;
const CURSOR_PIXELS = 12;
const CURSOR_LEAP = 60;
const ZOOM_STEP = 1.35;

export class KeyInput {
  readonly #target: KeyTarget;
  /** Of the box that is being drawn by keys. */
  #cursor: Pixel | undefined;
  #corner: Pixel | undefined;

  constructor(target: KeyTarget) {
    this.#target = target;
  }

  /** Act on a key; returns whether it was one of the map's. */
  press(event: KeyPress): boolean {
    if (event.ctrlKey || event.metaKey) return false;
    const direction = ARROWS[event.key];
    if (this.#target.mode === "box" && (direction !== undefined || event.key === " " || event.key === "Enter")) {
      this.#box(direction, event);
      return true;
    }
    if (event.altKey) return false;
    if (direction !== undefined) {
      this.#arrow(direction, event.shiftKey);
      return true;
    }
    return this.#command(event.key);
  }

  /** Give up the box that is being drawn; returns whether there was one. */
  giveUp(): boolean {
    const wasDrawing = this.#cursor !== undefined;
    this.#cursor = undefined;
    this.#corner = undefined;
    if (wasDrawing) {
      this.#target.moveCursor(undefined);
      this.#target.draw([]);
    }
    return wasDrawing;
  }

  #arrow(direction: Direction, isShifted: boolean): void {
    if (!isShifted) {
      this.#target.walk(direction);
      return;
    }
    const [x, y] = STEPS[direction];
    // Look further that way; the map turns as if it were dragged.
    if (this.#target.isTurned) this.#target.orbit(-x * MOVE_PIXELS, -y * MOVE_PIXELS);
    else this.#target.pan(-x * MOVE_PIXELS, -y * MOVE_PIXELS);
  }

  #command(key: string): boolean {
    const target = this.#target;
    switch (key) {
      case "Enter":
        target.open();
        return true;
      case " ":
        target.toggleCurrent();
        return true;
      case "f":
        target.fit();
        return true;
      case "l":
      case "b":
        this.giveUp();
        target.mode = key === "l" ? "lasso" : "box";
        return true;
      case "+":
      case "=":
        target.zoom(ZOOM_STEP);
        return true;
      case "-":
        target.zoom(1 / ZOOM_STEP);
        return true;
      case "Escape":
        return this.#escape();
      default:
        return false;
    }
  }

  /** Give up the box, then the tool; after that Escape is the page's. */
  #escape(): boolean {
    if (this.giveUp()) return true;
    if (this.#target.mode === "pan") return false;
    this.#target.mode = "pan";
    return true;
  }

  #box(direction: Direction | undefined, event: KeyPress): void {
    const cursor = this.#cursor ?? this.#target.cursorStart;
    if (direction === undefined) {
      if (this.#corner === undefined) this.#corner = cursor;
      else if (event.key === "Enter") {
        const outline = boxOutline(this.#corner, cursor);
        this.giveUp();
        this.#target.select(outline, changeOf(event));
        return;
      }
    }
    const step = event.shiftKey ? CURSOR_LEAP : CURSOR_PIXELS;
    const [x, y] = direction === undefined ? [0, 0] : STEPS[direction];
    const { width, height } = this.#target.size;
    this.#cursor = [Math.max(0, Math.min(width, cursor[0] + step * x)), Math.max(0, Math.min(height, cursor[1] + step * y))];
    this.#target.moveCursor(this.#cursor);
    if (this.#corner !== undefined) this.#target.draw(boxOutline(this.#corner, this.#cursor));
  }
}
