/** What pointers and the wheel do on the map: move, turn, zoom and pinch it, point at things, and draw outlines. */

import type { Pixel } from "./outline";
import { boxOutline } from "./outline";
import type { PointerMode, SelectionChange } from "./values";

/** What a pointer acts on. Pixels are from the top left of the map. */
export interface PointerTarget {
  readonly mode: PointerMode;
  /** Whether dragging turns the map. */
  readonly isTurned: boolean;
  pan: (dx: number, dy: number) => void;
  orbit: (dx: number, dy: number) => void;
  zoomAt: (factor: number, at: Pixel) => void;
  point: (at: Pixel | undefined) => void;
  click: (at: Pixel, change: SelectionChange | "toggle", reach: number) => void;
  /** Show an outline that is being drawn; none when it's done or given up. */
  draw: (outline: readonly Pixel[]) => void;
  select: (outline: readonly Pixel[], change: SelectionChange) => void;
}

/** A pointer that moved less has clicked. */
const CLICK_PIXELS = 4;
const REACH_PIXELS = 10;
const REACH_TOUCH = 22;
/** An outline has a corner at most every so many pixels. */
const OUTLINE_STEP = 3;
const HOVER_MS = 30;
const LINE_PIXELS = 16;
const ZOOM_PER_PIXEL = 0.0016;
const ZOOM_PER_PINCH_PIXEL = 0.01;

/** How a selection joins the one before, by the keys that are held. */
export function changeOf(event: { readonly shiftKey: boolean; readonly altKey: boolean }): SelectionChange {
  if (event.altKey) return "remove";
  return event.shiftKey ? "add" : "replace";
}

/** How much to zoom by a turn of the wheel or a pinch on a touchpad. */
export function wheelFactor(event: Pick<WheelEvent, "deltaY" | "deltaMode" | "ctrlKey">, pageHeight: number): number {
  const unit = event.deltaMode === 0 ? 1 : event.deltaMode === 1 ? LINE_PIXELS : pageHeight;
  const pixels = Math.max(-400, Math.min(400, event.deltaY * unit));
  // A browser tells of a touchpad's pinch as a wheel with Ctrl, in far smaller steps.
  return Math.exp(-pixels * (event.ctrlKey && Math.abs(pixels) < 40 ? ZOOM_PER_PINCH_PIXEL : ZOOM_PER_PIXEL));
}

const distance = (one: Pixel, other: Pixel): number => Math.hypot(one[0] - other[0], one[1] - other[1]);
const middle = (one: Pixel, other: Pixel): Pixel => [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];

export class PointerInput {
  readonly #root: HTMLElement;
  readonly #target: PointerTarget;
  readonly #pointers = new Map<number, Pixel>();
  #start: Pixel = [0, 0];
  #isDragging = false;
  /** Another pointer has joined: neither a click nor an outline any more. */
  #isPinching = false;
  #outline: Pixel[] = [];
  #hover: { timer: ReturnType<typeof setTimeout>; at: Pixel } | undefined;

  constructor(root: HTMLElement, target: PointerTarget) {
    this.#root = root;
    this.#target = target;
  }

  /** Listen; returns a function that stops. */
  start(): () => void {
    const root = this.#root;
    const handlers = {
      pointerdown: this.#down,
      pointermove: this.#move,
      pointerup: this.#up,
      pointercancel: this.#cancel,
      pointerleave: this.#leave,
    };
    for (const [name, handler] of Object.entries(handlers)) root.addEventListener(name as keyof typeof handlers, handler);
    root.addEventListener("wheel", this.#wheel, { passive: false });
    root.addEventListener("contextmenu", this.#menu);
    return () => {
      clearTimeout(this.#hover?.timer);
      for (const [name, handler] of Object.entries(handlers)) root.removeEventListener(name as keyof typeof handlers, handler);
      root.removeEventListener("wheel", this.#wheel);
      root.removeEventListener("contextmenu", this.#menu);
    };
  }

  /** Give up what is being drawn. */
  giveUp(): void {
    this.#outline = [];
    this.#target.draw([]);
  }

  #at(event: MouseEvent): Pixel {
    const box = this.#root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down = (event: PointerEvent): void => {
    const at = this.#at(event);
    this.#root.focus({ preventScroll: true });
    this.#root.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, at);
    this.#point(undefined);
    if (this.#pointers.size > 1) {
      this.#isPinching = true;
      this.giveUp();
      return;
    }
    this.#start = at;
    this.#isDragging = false;
    this.#isPinching = false;
  };

  #move = (event: PointerEvent): void => {
    const at = this.#at(event);
    const before = this.#pointers.get(event.pointerId);
    if (before === undefined) {
      this.#hoverSoon(at);
      return;
    }
    if (this.#isPinching) {
      this.#pinch(event.pointerId, before, at);
      return;
    }
    if (!this.#isDragging && distance(at, this.#start) < CLICK_PIXELS) return;
    const isFirst = !this.#isDragging;
    this.#isDragging = true;
    this.#pointers.set(event.pointerId, at);
    const [fromX, fromY] = isFirst ? this.#start : before;
    const isPrimary = (event.buttons & 1) === 1;
    if (isPrimary && this.#target.mode !== "pan") this.#extend(at);
    else if (this.#target.isTurned && isPrimary && !event.shiftKey) this.#target.orbit(at[0] - fromX, at[1] - fromY);
    else this.#target.pan(at[0] - fromX, at[1] - fromY);
  };

  #pinch(id: number, before: Pixel, at: Pixel): void {
    const other = [...this.#pointers].find(([pointer]) => pointer !== id)?.[1];
    this.#pointers.set(id, at);
    if (other === undefined) return;
    const [from, to] = [middle(before, other), middle(at, other)];
    this.#target.zoomAt(distance(at, other) / Math.max(1, distance(before, other)), to);
    this.#target.pan(to[0] - from[0], to[1] - from[1]);
  }

  #extend(at: Pixel): void {
    if (this.#target.mode === "box") {
      this.#outline = boxOutline(this.#start, at);
    } else {
      if (this.#outline.length === 0) this.#outline.push(this.#start);
      if (distance(at, this.#outline.at(-1) ?? at) >= OUTLINE_STEP) this.#outline.push(at);
    }
    this.#target.draw(this.#outline);
  }

  #up = (event: PointerEvent): void => {
    const at = this.#at(event);
    this.#pointers.delete(event.pointerId);
    if (this.#isPinching) return;
    const outline = this.#outline;
    this.giveUp();
    if (outline.length > 2) this.#target.select(outline, changeOf(event));
    if (this.#isDragging || event.button !== 0) return;
    const isToggle = event.ctrlKey || event.metaKey;
    this.#target.click(at, isToggle ? "toggle" : changeOf(event), event.pointerType === "mouse" ? REACH_PIXELS : REACH_TOUCH);
  };

  #cancel = (event: PointerEvent): void => {
    this.#pointers.delete(event.pointerId);
    this.#isDragging = true;
    this.giveUp();
  };

  #leave = (event: PointerEvent): void => {
    if (!this.#pointers.has(event.pointerId)) this.#point(undefined);
  };

  #point(at: Pixel | undefined): void {
    clearTimeout(this.#hover?.timer);
    this.#hover = undefined;
    this.#target.point(at);
  }

  /** Look for what is below the pointer at most every `HOVER_MS`. */
  #hoverSoon(at: Pixel): void {
    if (this.#hover !== undefined) {
      this.#hover.at = at;
      return;
    }
    const hover = {
      at,
      timer: setTimeout(() => {
        this.#hover = undefined;
        this.#target.point(hover.at);
      }, HOVER_MS),
    };
    this.#hover = hover;
  }

  #wheel = (event: WheelEvent): void => {
    event.preventDefault();
    this.#target.zoomAt(wheelFactor(event, this.#root.clientHeight), this.#at(event));
  };

  /** The right button moves the map. */
  #menu = (event: MouseEvent): void => {
    event.preventDefault();
  };
}
