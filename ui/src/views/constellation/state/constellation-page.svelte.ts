/** The state and navigation of the Constellation page, independent of its rendering. */

import { flushSync } from "svelte";

import type { ChangeEvent } from "$lib/api/event-stream";
import type { MapScope } from "$lib/api/projection";
import { idAt } from "$lib/constellation/ids";
import { type MapLabel, type PointerMode, type RendererHandle, type StarMap } from "$lib/constellation/values";
import type { BulkDialog } from "$lib/memory/bulk/bulk-actions";
import { BulkJob } from "$lib/memory/bulk/bulk-job.svelte";
import { Targets, type TargetPage } from "$lib/memory/bulk/targets";
import { OpenMemory } from "$lib/memory/detail/open-memory.svelte";
import { writeFilters } from "$lib/memory/filter-query";
import type { FilterSet } from "$lib/memory/filters";
import type { ListRow } from "$lib/memory/rows";
import { projects } from "$lib/projects/projects.svelte";
import { agents } from "$lib/state/agents.svelte";
import { connection } from "$lib/state/connection.svelte";
import { router } from "$lib/state/router.svelte";

import { NOW, type TimeView } from "../time/time-view";
import { ALL_GROUPS, CONSTELLATION_PATH, NO_PROJECT, readMapView, writeMapView, type Colouring, type MapView } from "./constellation-url";
import { LitMemories } from "./lit-memories.svelte";
import { entityLines, labelled } from "./map-labels";
import { MapCamera } from "./map-camera.svelte";
import { MapData } from "./map-data.svelte";
import { MapStyling } from "./map-styling.svelte";
import { readRows, SelectedMemories } from "./selected-memories.svelte";
import { stable } from "./stable";

const TYPING_MS = 150;

/** The open memory beside the map. */
export interface PaneHandle {
  readonly focus: () => void;
  readonly hasFocus: () => boolean;
}

export class ConstellationPage implements TargetPage {
  readonly view = $derived(readMapView(router.query));
  // Of these the same values while the address says the same: nothing is loaded or drawn anew when
  // only the camera or the open memory changes.
  readonly scope: MapScope = $derived.by(stable(() => ({ project: this.view.project, agent: this.view.agent })));
  readonly colour = $derived(this.view.colour);
  readonly groups = $derived.by(stable(() => this.view.groups));
  readonly #time = $derived.by(stable(() => this.view.time));
  readonly #litQuery = $derived.by(stable(() => ({ q: this.view.q, told: this.view.told, entity: this.view.entity })));

  readonly data = new MapData(() => this.scope);
  readonly lights = new LitMemories();
  readonly openMemory = new OpenMemory();
  readonly selection = new SelectedMemories(() => ({
    map: this.data.map,
    indexOf: this.data.points.indexOf,
    emphasis: this.styling.emphasis,
    grouping: this.styling.grouping,
  }));
  readonly targets = new Targets(this);
  readonly job = new BulkJob({
    hold: () => () => {
      this.data.points.refresh(0);
    },
    keep: (ids) => this.selection.keep(ids),
    forgotten: (ids) => {
      this.gone = new Set([...this.gone, ...ids]);
      if (this.view.memory !== undefined && ids.includes(this.view.memory)) this.go({ memory: undefined }, "replace");
    },
    changed: (ids) => {
      this.#unhide(ids);
      if (this.view.memory !== undefined && ids.includes(this.view.memory)) void this.openMemory.load();
    },
  });

  /** The time that is shown while one moves through it, before it is in the address. */
  previewedTime = $state.raw<TimeView>();
  readonly time = $derived(this.previewedTime ?? this.#time);
  #isTimeOpen = $state(false);
  #hasArrived = false;
  gone = $state.raw<ReadonlySet<string>>(new Set());
  /** The layout that is shown: in three dimensions only once there is one. */
  readonly dimensions = $derived(this.view.dimensions === 3 && this.data.map?.xyz !== undefined ? 3 : 2);
  readonly styling = new MapStyling(this);
  readonly lit = $derived(this.lights.sets(this.#litQuery));
  /** The point that the arrows walk from. */
  currentId = $state<string>();
  readonly current = $derived(this.currentId === undefined ? undefined : this.data.points.indexOf(this.currentId));

  readonly lines = $derived.by(() => {
    const { map } = this.data;
    const constellation = this.data.entities.value;
    if (map === undefined || constellation === undefined) return [];
    const { entity } = this.#litQuery;
    const indexes = (this.lights.named.value ?? []).flatMap((id) => this.data.points.indexOf(id) ?? []);
    return entityLines(map, constellation, entity === undefined ? [] : [{ entity, indexes }]);
  });

  readonly camera = new MapCamera(() => this.view);
  mode = $state<PointerMode>("pan");
  editing = $state(false);
  dialog = $state.raw<BulkDialog>();
  /** Whether there is room for one pane only. */
  isSinglePane = $state(false);
  renderer: RendererHandle | undefined;
  detail: PaneHandle | undefined;
  list: Pick<PaneHandle, "focus"> | undefined;
  timePanel = $state.raw<Pick<PaneHandle, "focus">>();
  /** The match that Enter moved to last. */
  matchAt = $state(-1);

  /** Follow changes until the returned function is called. */
  subscribe(): () => void {
    const cleanups = [
      agents.subscribe(),
      this.styling.watch(),
      this.data.state.subscribe(),
      projects.subscribe(),
      this.lights.subscribe(),
      connection.onChange((change) => {
        this.openMemory.handleChange(change);
        if (change !== "resync" && change.topic === "memory") this.#follow(change);
      }),
    ];
    return () => {
      for (const cleanup of cleanups.reverse()) cleanup();
      this.camera.stop();
      this.job.cancel();
    };
  }

  /** Load the map of a scope. */
  load(scope: MapScope): void {
    this.selection.clear();
    this.gone = new Set();
    this.matchAt = -1;
    this.data.load(scope);
  }

  #follow({ what, ids }: ChangeEvent): void {
    if (what === "deleted") this.selection.drop(ids);
    else this.#unhide(ids);
  }

  #unhide(ids: readonly string[]): void {
    if (ids.some((id) => this.gone.has(id))) this.gone = new Set([...this.gone].filter((id) => !ids.includes(id)));
    this.data.points.refresh(0);
  }

  go(change: Partial<MapView>, how: "push" | "replace" = "push"): void {
    const query = writeMapView({ ...this.view, camera: this.camera.written, ...change });
    this.camera.note(query);
    router.go(CONSTELLATION_PATH, query, how);
  }

  /** Show the map of other memories: from far, with nothing selected. */
  goScope(scope: Partial<MapScope>): void {
    this.selection.clear();
    this.camera.reset();
    this.go({
      project: undefined,
      agent: undefined,
      groups: ALL_GROUPS,
      entity: undefined,
      memory: undefined,
      ...scope,
      camera: undefined,
    });
  }

  setDimensions(dimensions: 2 | 3): void {
    if (dimensions === this.view.dimensions) return;
    this.go({ dimensions });
  }

  /** Look at a memory from close by; false if it isn't in the map. */
  reveal(id: string): boolean {
    const { map } = this.data;
    const index = this.data.points.indexOf(id);
    if (map === undefined || index === undefined) return false;
    this.currentId = id;
    this.camera.approach(map, index);
    return true;
  }

  /** Open the memory of a point. */
  open(index: number): void {
    if (this.data.map !== undefined) this.openId(idAt(this.data.map, index));
  }

  openId(id: string): void {
    this.currentId = id;
    this.go({ memory: id }, this.view.memory === undefined ? "push" : "replace");
    flushSync();
    if (this.isSinglePane) this.detail?.focus();
  }

  /** Open a memory that is linked from the open one. */
  openFrom(id: string): void {
    this.reveal(id);
    this.go({ memory: id });
  }

  close(): void {
    this.go({ memory: undefined });
    this.#focusRest();
  }

  /** Focus the list where it is shown, else the map. */
  #focusRest(): void {
    flushSync();
    (this.list ?? this.renderer)?.focus();
  }

  /** Show what the address names, and edit it no longer. */
  show(id: string | undefined): void {
    this.editing = false;
    if (id !== undefined) this.currentId = id;
    void this.openMemory.show(id);
  }

  /** Search as one types. */
  ask(q: string): void {
    this.matchAt = -1;
    this.lights.search.ask({ scope: this.scope, q }, q.trim() === "" ? 0 : TYPING_MS);
    this.go({ q }, "replace");
  }

  /** Look at the next match, or the one before. */
  walk(by: 1 | -1): void {
    const matches = (this.lights.search.ids ?? []).filter((id) => this.data.points.indexOf(id) !== undefined);
    if (matches.length === 0) return;
    this.matchAt = this.matchAt < 0 ? (by > 0 ? 0 : matches.length - 1) : (this.matchAt + by + matches.length) % matches.length;
    const id = matches[this.matchAt];
    if (id === undefined || !this.reveal(id)) return;
    if (this.view.memory !== undefined) this.go({ memory: id }, "replace");
  }

  /** Select the memories of a cluster that are shown. */
  selectCluster({ level, cluster }: { readonly level: number; readonly cluster: number }): void {
    const members = this.data.map === undefined ? undefined : this.data.clusters.of(this.data.map)?.members[level];
    if (members !== undefined) this.selection.chooseShown((index) => members[index] === cluster);
  }

  /** A label of the map was chosen: select its cluster, light its entity or open its memory. */
  onLabel(label: MapLabel): void {
    const what = labelled(label);
    if (what.kind === "cluster") this.selectCluster(what);
    else if (what.kind === "entity") this.go({ entity: this.view.entity === what.id ? undefined : what.id });
    else this.openId(what.id);
  }

  /** Colour by something else; what the legend left out is in no group of it. */
  colourBy(colour: Colouring): void {
    if (colour !== this.view.colour) this.go({ colour, groups: ALL_GROUPS });
  }

  /** Light what the next session of the map's project is told, or no longer. */
  toggleTold(): void {
    const [latest] = projects.value?.projects ?? [];
    this.go({ told: this.view.told === undefined ? (this.view.project ?? latest?.key ?? NO_PROJECT) : undefined });
  }

  /** Show another time; on the way to one, the address stays. */
  setTime(time: TimeView, isPassing: boolean): void {
    this.previewedTime = isPassing ? time : undefined;
    if (!isPassing) this.go({ time, ...(time.kind === this.view.time.kind ? {} : { groups: ALL_GROUPS }) }, "replace");
  }

  get isTimeShown(): boolean {
    return this.#isTimeOpen || this.time.kind !== "now";
  }

  toggleTime(): void {
    const wasShown = this.isTimeShown;
    this.#isTimeOpen = !wasShown;
    if (wasShown && this.time.kind !== "now") this.setTime(NOW, false);
    flushSync();
    (wasShown ? this.renderer : this.timePanel)?.focus();
  }

  /** Show the list, in place of an open memory if need be, or close it. */
  toggleList(): void {
    const { isListed, memory } = this.view;
    this.go({ isListed: !isListed || memory !== undefined, memory: undefined });
    this.#focusRest();
  }

  /** Lay out the map again, in each of its dimensions. */
  layOut(): Promise<void> {
    return this.data.state.run(this.data.state.has(3) || this.view.dimensions === 3 ? [2, 3] : [2]);
  }

  /** Look at what the address names, where it doesn't say from where. */
  arrive(map: StarMap): void {
    if (this.#hasArrived) return;
    this.#hasArrived = true;
    const { camera, memory } = this.view;
    const index = memory === undefined ? undefined : this.data.points.indexOf(memory);
    if (camera === undefined && index !== undefined) this.camera.approach(map, index);
  }

  /** Light everything again. */
  unlight(): void {
    this.lights.search.ask({ scope: this.scope, q: "" }, 0);
    this.go({ q: "", told: undefined, entity: undefined });
  }

  get hasPane(): boolean {
    return this.view.memory !== undefined || this.view.isListed;
  }

  closePane(): void {
    if (this.view.memory !== undefined) this.close();
    else this.toggleList();
  }

  /** Whether there is something for Esc to cancel before it closes the pane beside the map. */
  get canStop(): boolean {
    if (this.job.working !== undefined) return true;
    if (this.paneTarget !== undefined) return false;
    return this.mode !== "pan" || this.selectedCount > 0;
  }

  /** Cancel one thing. */
  stop(): void {
    if (this.job.working !== undefined) this.job.cancel();
    else if (this.mode !== "pan") this.mode = "pan";
    else this.selection.clear();
  }

  edit(): void {
    const { target } = this;
    if (target === undefined) return;
    this.openId(target);
    this.editing = true;
  }

  editEnd(): void {
    this.editing = false;
    if (this.view.memory !== undefined) this.targets.changed(this.view.memory);
    flushSync();
    this.detail?.focus();
  }

  /** Show memories that are alike: the map of a project, or otherwise the list. */
  filterLike(change: FilterSet): void {
    if (change.project !== undefined && change.project !== null) this.goScope({ project: change.project });
    else router.go("/memories", writeFilters({ ...change, q: "" }));
  }

  /** Show all memories of a session, as the list has them. */
  showSession(session: string): void {
    router.go("/memories", new URLSearchParams({ session }));
  }

  // What Targets asks of a page.

  readonly items = {
    remove: (id: string): (() => void) => {
      this.gone = new Set([...this.gone, id]);
      return () => {
        this.#unhide([id]);
      };
    },
    handleChange: (change: ChangeEvent): void => {
      this.#follow(change);
    },
  };

  get selectedCount(): number {
    return this.selection.ids.size;
  }

  async selectedRows(): Promise<readonly ListRow[]> {
    const { ids } = this.selection;
    return (await this.job.collect("Loading", ids.size, (signal) => readRows(ids, this.scope, signal))) ?? [];
  }

  get target(): string | undefined {
    return this.view.memory ?? this.currentId;
  }

  get paneTarget(): string | undefined {
    return this.detail?.hasFocus() === true ? this.view.memory : undefined;
  }

  readonly rowAt = (): undefined => undefined;

  forgetting(id: string): () => void {
    return () => {
      this.selection.drop([id]);
      if (this.currentId === id) this.currentId = undefined;
      if (this.view.memory === id) this.close();
    };
  }

  recovered(id: string): void {
    this.currentId = id;
    if (this.view.memory === id) void this.openMemory.load();
  }
}
