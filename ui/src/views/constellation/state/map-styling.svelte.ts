/** What is drawn of a map's points, derived from the page's state. */

import { now } from "$lib/components/time/now.svelte";
import { paletteOf, readSurface, watchSurface } from "$lib/constellation/palette";
import type { StarMap } from "$lib/constellation/values";
import { agents } from "$lib/state/agents.svelte";

import { dayOf } from "../time/days";
import { emphasisOf, type TimeView } from "../time/time-view";
import type { MapView } from "./constellation-url";
import { groupingOf } from "./grouping";
import { emphasisWith, maskOf, sizesOf, stylesOf, withoutPoints } from "./point-styles";

/** What the page shows. */
interface Shown {
  readonly map: StarMap | undefined;
  readonly view: MapView;
  readonly time: TimeView;
  readonly indexOf: (id: string) => number | undefined;
  /** Memories that are being forgotten. */
  readonly gone: ReadonlySet<string>;
  /** Sets of memories that are lit; those of all sets if there are several. */
  readonly lit: readonly (readonly string[])[];
}

const NO_POINTS = new Uint8Array();

export class MapStyling {
  readonly #shown: () => Shown;
  #surface = $state.raw(readSurface());
  readonly palette = $derived(paletteOf(this.#surface));
  readonly today = $derived(dayOf(new Date(now())));
  readonly #base = $derived.by(() => {
    const { map, time, gone, indexOf } = this.#shown();
    if (map === undefined) return NO_POINTS;
    const goneIndexes = [...gone].flatMap((id) => indexOf(id) ?? []);
    return withoutPoints(emphasisOf(map, time), goneIndexes);
  });
  readonly grouping = $derived.by(() => {
    const { map, view, time } = this.#shown();
    if (map === undefined) return undefined;
    const names = { agent: (id: string) => agents.nameOf(id) };
    return groupingOf(map, view.colour, this.#base, { palette: this.palette, time, today: this.today, names });
  });
  readonly emphasis = $derived.by(() => {
    const { map, view, indexOf, lit } = this.#shown();
    if (map === undefined || this.grouping === undefined) return NO_POINTS;
    const masks = lit.map((ids) => maskOf(map.count, indexOf, ids));
    return emphasisWith(this.#base, this.grouping, view.groups, masks);
  });
  readonly #sizes = $derived.by(() => {
    const { map } = this.#shown();
    return map === undefined ? NO_POINTS : sizesOf(map);
  });
  readonly styles = $derived(this.grouping === undefined ? undefined : stylesOf(this.emphasis, this.grouping, this.#sizes));

  constructor(shown: () => Shown) {
    this.#shown = shown;
  }

  /** Follow the page's appearance; returns a function that stops. */
  watch(): () => void {
    return watchSurface((surface) => {
      this.#surface = surface;
    });
  }
}
