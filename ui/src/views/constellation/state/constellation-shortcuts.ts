/** The shortcuts and commands of the Constellation page. */

import type { Shortcut } from "$lib/keys/registry.svelte";
import type { BulkAction } from "$lib/memory/bulk/bulk-actions";

import { ALL_GROUPS, COLOURINGS, isAlone, isolatedGroup } from "./constellation-url";
import { NONE } from "./grouping";
import { clusterText } from "./map-labels";
import type { ConstellationPage } from "./constellation-page.svelte";

const MAP = "Constellation";
const ONE = "Selected memory";
const MANY = "Selected memories";

/** What the page's components offer. */
export interface PageHandles {
  readonly search: () => void;
  readonly choosePlace: () => void;
  readonly savePicture: () => void;
  readonly saveSelection: () => void;
}

export function constellationShortcuts(page: ConstellationPage, handles: PageHandles): Shortcut[] {
  const hasMap = (): boolean => page.data.map !== undefined && !page.editing;
  const hasSelected = (): boolean => page.selectedCount > 0;
  const hasTargets = (): boolean => !page.editing && (hasSelected() || page.target !== undefined);
  const map = (id: string, keys: readonly string[], label: string, run: () => unknown, more: Partial<Shortcut> = {}): Shortcut => ({
    id: `constellation.${id}`,
    keys,
    label,
    group: MAP,
    when: hasMap,
    run: () => {
      run();
    },
    ...more,
  });
  const many = (id: string, keys: readonly string[], label: string, action: BulkAction): Shortcut =>
    map(id, keys, label, () => page.targets.begin(action), { group: MANY, when: hasTargets });
  return [
    ...mapShortcuts(page, map),
    map("search", ["/"], "Search the map", handles.search, { weight: 1 }),
    map(
      "nextMatch",
      ["n"],
      "Next match",
      () => {
        page.walk(1);
      },
      { repeats: true, when: () => hasMap() && page.lights.search.ids !== undefined },
    ),
    map(
      "previousMatch",
      ["N"],
      "Previous match",
      () => {
        page.walk(-1);
      },
      { repeats: true, when: () => hasMap() && page.lights.search.ids !== undefined },
    ),
    map("scope", ["s"], "Show another project's map", handles.choosePlace, { when: () => !page.editing }),
    map("picture", [], "Save the map as a picture (PNG)", handles.savePicture, { words: "export image screenshot" }),
    map("export", [], "Save the selection (JSON)", handles.saveSelection, { words: "export download" }),
    map(
      "stop",
      ["Escape"],
      "Clear selection or cancel",
      () => {
        page.stop();
      },
      { when: () => !page.editing && page.canStop },
    ),
    map(
      "close",
      ["Escape"],
      "Close",
      () => {
        page.closePane();
      },
      { when: () => page.hasPane && !page.editing },
    ),
    map(
      "unlight",
      ["Escape"],
      "Stop highlighting",
      () => {
        page.unlight();
      },
      { when: () => hasMap() && page.lit.length > 0 && !page.hasPane },
    ),
    map(
      "edit",
      ["e"],
      "Edit",
      () => {
        page.edit();
      },
      { group: ONE, weight: 1, when: () => hasTargets() && (!hasSelected() || page.paneTarget !== undefined) },
    ),
    map(
      "pin",
      ["p"],
      "Pin or unpin",
      () => {
        page.targets.pin();
      },
      { group: MANY, weight: 2, when: hasTargets },
    ),
    many("tag", ["t"], "Add or remove tags", "tags"),
    many("move", ["m"], "Move to project", "project"),
    many("type", [], "Change type", "type"),
    many("visibility", [], "Change visibility", "visibility"),
    map("forget", ["#", "Delete"], "Forget", () => page.targets.forget(), {
      group: MANY,
      words: "delete remove trash",
      weight: 1,
      when: hasTargets,
    }),
  ];
}

/** One command per cluster and per group of the legend. */
export function contentShortcuts(page: ConstellationPage): Shortcut[] {
  const command = (id: string, label: string, group: string, run: () => void): Shortcut => ({
    id: `constellation.${id}`,
    keys: [],
    label,
    group,
    weight: -1,
    run,
  });
  return [
    ...page.data.mainClusters.map(({ id, level, words }) =>
      command(`cluster.${String(id)}`, `Select cluster: ${clusterText(words)}`, "Clusters", () => {
        page.selectCluster({ level, cluster: id });
      }),
    ),
    ...(page.styling.grouping?.groups ?? []).map(({ value, label }) =>
      command(`group.${value}`, `${isAlone(page.groups, value) ? "Stop showing only" : "Show only"}: ${label}`, "Legend", () => {
        page.go({ groups: isolatedGroup(page.groups, value) });
      }),
    ),
  ];
}

type MapShortcut = (id: string, keys: readonly string[], label: string, run: () => unknown, more?: Partial<Shortcut>) => Shortcut;

/** How the map is shown. */
function mapShortcuts(page: ConstellationPage, map: MapShortcut): Shortcut[] {
  const mode = (wanted: "lasso" | "box"): void => {
    page.mode = page.mode === wanted ? "pan" : wanted;
    page.renderer?.focus();
  };
  return [
    map(
      "fit",
      ["f"],
      "Show the whole map",
      () => {
        page.renderer?.fit();
      },
      { weight: 1 },
    ),
    map("lasso", ["l"], "Select with a lasso", () => {
      mode("lasso");
    }),
    map("box", ["b"], "Select with a box", () => {
      mode("box");
    }),
    map("selectShown", ["Mod+a"], "Select all that is shown", () => {
      page.selection.chooseShown();
    }),
    map(
      "list",
      ["v"],
      "Show or hide the list",
      () => {
        page.toggleList();
      },
      { words: "text accessible rows" },
    ),
    map(
      "time",
      ["h"],
      "Show or hide the time panel",
      () => {
        page.toggleTime();
      },
      { words: "history slider day as of compare play" },
    ),
    map("flat", ["2"], "Two dimensions", () => {
      page.setDimensions(2);
    }),
    map("spatial", ["3"], "Three dimensions", () => {
      page.setDimensions(3);
    }),
    map(
      "told",
      ["w"],
      "Highlight what the next session is told",
      () => {
        page.toggleTold();
      },
      { words: "context injected preview" },
    ),
    map("layOut", [], "Lay out the map again", () => page.layOut(), { words: "projection umap compute refresh" }),
    map("colour", ["c"], "Next colouring", () => {
      page.colourBy(COLOURINGS[(COLOURINGS.indexOf(page.view.colour) + 1) % COLOURINGS.length] ?? "type");
    }),
    ...COLOURINGS.map((colour) =>
      map(
        `colour.${colour}`,
        [],
        `Colour by ${colour}`,
        () => {
          page.colourBy(colour);
        },
        { weight: -1, when: () => page.data.map !== undefined && page.view.colour !== colour },
      ),
    ),
    map(
      "noEntity",
      [],
      "Show what belongs to no entity",
      () => {
        page.go({ colour: "entity", groups: { kind: "only", values: [NONE] } });
      },
      { words: "orphan unassigned without" },
    ),
    map(
      "showAll",
      [],
      "Show all groups of the legend",
      () => {
        page.go({ groups: ALL_GROUPS });
      },
      { when: () => page.view.groups.values.length > 0 },
    ),
    // The map handles these keys while it has the focus.
    ...WALKING.map(({ id, keys, label }) => map(id, keys, label, () => page.renderer?.focus(), { repeats: true, weight: -1 })),
  ];
}

const WALKING = [
  { id: "walk", keys: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], label: "Move to the nearest memory" },
  { id: "open", keys: ["Enter"], label: "Open the memory" },
  { id: "select", keys: [" "], label: "Select or deselect the memory" },
  { id: "zoomIn", keys: ["+"], label: "Zoom in" },
  { id: "zoomOut", keys: ["-"], label: "Zoom out" },
] as const;
