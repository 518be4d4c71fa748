/** What is drawn of a map's points, derived from the page's state. */

import { now } from "$lib/components/time/now.svelte";
import { paletteOf, readSurface, watchSurface } from "$lib/constellation/palette";
import { agents } from "$lib/state/agents.svelte";

import { dayOf } from "../time/days";
import { emphasisOf, type TimeView } from "../time/time-view";
import type { Colouring, GroupFilter } from "./constellation-url";
import { groupingOf } from "./grouping";
import type { MapData } from "./map-data.svelte";
import { shownLabels } from "./map-labels";
import { emphasisWith, maskOf, sizesOf, stylesOf, withoutPoints } from "./point-styles";

/** What the page shows; each is read by itself, so that what hasn't changed isn't computed anew. */
export interface StyledPage {
  readonly data: Pick<MapData, "clusters" | "labels" | "map" | "points">;
  readonly colour: Colouring;
  readonly groups: GroupFilter;
  readonly time: TimeView;
  /** Memories that are being forgotten. */
  readonly gone: ReadonlySet<string>;
  /** Sets of memories that are lit; those of all sets if there are several. */
  readonly lit: readonly (readonly string[])[];
}

const NO_POINTS = new Uint8Array();

export class MapStyling {
  readonly #page: StyledPage;
  #surface = $state.raw(readSurface());
  readonly palette = $derived(paletteOf(this.#surface));
  readonly today = $derived(dayOf(new Date(now())));
  readonly #base = $derived.by(() => {
    const { map, points } = this.#page.data;
    if (map === undefined) return NO_POINTS;
    const gone = [...this.#page.gone].flatMap((id) => points.indexOf(id) ?? []);
    return withoutPoints(emphasisOf(map, this.#page.time), gone);
  });
  readonly grouping = $derived.by(() => {
    const { map } = this.#page.data;
    if (map === undefined) return undefined;
    const { colour, time } = this.#page;
    const names = { agent: (id: string) => agents.nameOf(id) };
    return groupingOf(map, colour, this.#base, { palette: this.palette, time, today: this.today, names });
  });
  readonly emphasis = $derived.by(() => {
    const { map, points } = this.#page.data;
    if (map === undefined || this.grouping === undefined) return NO_POINTS;
    const masks = this.#page.lit.map((ids) => maskOf(map.count, points.indexOf, ids));
    return emphasisWith(this.#base, this.grouping, this.#page.groups, masks);
  });
  readonly #sizes = $derived.by(() => {
    const { map } = this.#page.data;
    return map === undefined ? NO_POINTS : sizesOf(map);
  });
  readonly styles = $derived(this.grouping === undefined ? undefined : stylesOf(this.emphasis, this.grouping, this.#sizes));
  readonly labels = $derived.by(() => {
    const { clusters, labels, map, points } = this.#page.data;
    return shownLabels(labels, this.emphasis, { indexOf: points.indexOf, members: clusters.of(map)?.members });
  });

  constructor(page: StyledPage) {
    this.#page = page;
  }

  /** Follow the page's appearance; returns a function that stops. */
  watch(): () => void {
    return watchSurface((surface) => {
      this.#surface = surface;
    });
  }
}
