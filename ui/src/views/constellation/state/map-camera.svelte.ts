/** Where the map is seen from, and how the address follows. */

import { WHOLE_MAP, type Camera, type StarMap } from "$lib/constellation/values";
import { Deadline } from "$lib/state/deadline";
import { router } from "$lib/state/router.svelte";

import { CONSTELLATION_PATH, writeMapView, type MapView } from "./constellation-url";

/** Browsers limit how often an address changes. */
const REST_MS = 300;
/** How close a memory is shown that is searched for or linked to. */
const CLOSE_ZOOM = 4;
const FROM_ABOVE = { azimuth: 0, elevation: 0 };
const OBLIQUE = { azimuth: 0.6, elevation: 0.5 };

export class MapCamera {
  readonly #view: () => MapView;
  value = $state.raw<Camera>(WHOLE_MAP);
  /** As it is in the address, if this page wrote it. */
  #written: string | null = null;
  readonly #resting = new Deadline(() => {
    this.#write();
  });

  constructor(view: () => MapView) {
    this.#view = view;
  }

  /** What the address says of it; undefined for the whole map. */
  get written(): Camera | undefined {
    return this.value === WHOLE_MAP ? undefined : this.value;
  }

  /** Show the whole map. */
  reset(): void {
    this.value = WHOLE_MAP;
  }

  /** Take over the camera of an address that this page didn't write. */
  followAddress(): void {
    const written = router.query.get("cam");
    if (written === this.#written) return;
    this.#written = written;
    this.value = this.#view().camera ?? WHOLE_MAP;
  }

  /** It has come to rest somewhere; that is written into the address a moment later. */
  rest(): void {
    this.#resting.restart(REST_MS);
  }

  stop(): void {
    this.#resting.stop();
  }

  /** What an address is about to say of it. */
  note(query: URLSearchParams): void {
    this.#written = query.get("cam");
  }

  #write(): void {
    if (router.path !== CONSTELLATION_PATH) return;
    const query = writeMapView({ ...this.#view(), camera: this.written });
    this.note(query);
    router.go(CONSTELLATION_PATH, query, "replace");
  }

  /** Turn to a layout: its other dimension is seen from the side. */
  turn(dimensions: 2 | 3): void {
    if (this.value.dimensions === dimensions) return;
    this.value = { ...this.value, z: 0, ...(dimensions === 3 ? OBLIQUE : FROM_ABOVE), dimensions };
    this.rest();
  }

  /** Look at a point from close by. */
  approach({ xy, xyz }: StarMap, index: number): void {
    const isSpatial = this.value.dimensions === 3 && xyz !== undefined;
    const [x = 0, y = 0, z = 0] = isSpatial ? xyz.slice(3 * index, 3 * index + 3) : xy.slice(2 * index, 2 * index + 2);
    this.value = { ...this.value, x, y, z, zoom: Math.max(this.value.zoom, CLOSE_ZOOM) };
    this.rest();
  }
}
