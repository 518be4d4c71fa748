/** How the view changes over time: the camera on its way, the morph between both layouts. */

import { between, isSameCamera } from "./camera";
import type { Camera } from "./values";

const TRAVEL_MS = 320;
const MORPH_MS = 650;

const eased = (share: number): number => share * share * (3 - 2 * share);

export class Motion {
  #camera: Camera;
  /** From 0, in two dimensions, to 1; not yet eased. */
  #turned: number;
  #travel: { readonly from: Camera; readonly to: Camera; started: number | undefined } | undefined;
  #hasDepth = false;
  #ticked: number | undefined;

  constructor(camera: Camera) {
    this.#camera = camera;
    this.#turned = 0;
  }

  get camera(): Camera {
    return this.#camera;
  }

  get morph(): number {
    return eased(this.#turned);
  }

  /** Where the camera is, or where it is going. */
  get destination(): Camera {
    return this.#travel?.to ?? this.#camera;
  }

  get isGoing(): boolean {
    return this.#travel !== undefined || this.#turned !== this.#turnedAtEnd;
  }

  get #turnedAtEnd(): number {
    return this.#hasDepth && this.#camera.dimensions === 3 ? 1 : 0;
  }

  /** Whether the map has a layout in three dimensions; without one it stays flat. */
  setDepth(hasDepth: boolean): void {
    this.#hasDepth = hasDepth;
  }

  /** Be there at once. */
  jump(camera: Camera): void {
    this.#travel = undefined;
    this.#camera = camera;
    this.#turned = this.#turnedAtEnd;
  }

  /** Go on from where the view is, as the pointer moves it. */
  move(camera: Camera): void {
    this.#travel = undefined;
    this.#camera = camera;
  }

  travel(camera: Camera): void {
    if (isSameCamera(camera, this.destination)) return;
    this.#travel = { from: this.#camera, to: camera, started: undefined };
    // The layouts begin to morph at once.
    this.#camera = { ...this.#camera, dimensions: camera.dimensions };
  }

  /** Move on to a time in milliseconds; returns whether anything has moved. */
  tick(now: number): boolean {
    if (!this.isGoing) {
      this.#ticked = undefined;
      return false;
    }
    const step = (now - (this.#ticked ?? now)) / MORPH_MS;
    this.#ticked = now;
    const end = this.#turnedAtEnd;
    this.#turned = end > this.#turned ? Math.min(end, this.#turned + step) : Math.max(end, this.#turned - step);
    if (this.#travel !== undefined) {
      this.#travel.started ??= now;
      const share = Math.min(1, (now - this.#travel.started) / TRAVEL_MS);
      this.#camera = share === 1 ? this.#travel.to : between(this.#travel.from, this.#travel.to, eased(share));
      if (share === 1) this.#travel = undefined;
    }
    return true;
  }
}
