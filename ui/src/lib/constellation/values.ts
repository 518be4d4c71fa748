/** The shared types of the constellation: the decoded map, and what the renderer draws of it. */

/** A decoded map; every array has one value, or one group of values, per point. */
export interface StarMap {
  /** Identifies this order of points to the endpoints of edges and labels. */
  readonly token: string;
  readonly generation: number;
  readonly count: number;
  /** 2, or 2 and 3. */
  readonly dimensions: readonly number[];
  /** Memories without a vector yet. */
  readonly unplaced: number;
  readonly computedAt: string;
  /** 16 bytes per point; `idAt` formats one. */
  readonly ids: Uint8Array;
  /** x, y in [-210, 210]. */
  readonly xy: Float32Array;
  /** x, y, z; undefined without a layout in three dimensions. */
  readonly xyz: Float32Array | undefined;
  /** Local days since 1970-01-01: created, last changed (0: never), ended by being replaced or forgotten (0: not). */
  readonly created: Uint16Array;
  readonly changed: Uint16Array;
  readonly ended: Uint16Array;
  /** Indexes in the tables below. */
  readonly type: Uint8Array;
  readonly origin: Uint8Array;
  readonly agent: Uint8Array;
  readonly project: Uint8Array;
  /** 0: of no entity; otherwise 1 + the index of its main entity in `entities`, or 255 for another one. */
  readonly entity: Uint8Array;
  /** 0 to 255. */
  readonly importance: Uint8Array;
  /** Bits of `FLAGS`. */
  readonly flags: Uint8Array;
  readonly types: readonly string[];
  readonly origins: readonly string[];
  readonly agents: readonly string[];
  readonly projects: readonly (string | null)[];
  readonly entities: readonly { readonly id: string; readonly name: string; readonly type: string }[];
}

export const FLAGS = { pinned: 1, private: 2, placed: 4, replaced: 8, forgotten: 16, disputed: 32 } as const;

/** How a point is drawn: left out, dimmed, as usual, or lit. */
export const HIDDEN = 0;
export const DIMMED = 1;
export const SHOWN = 2;
export const LIT = 3;

/** A second channel beside colour, for people who don't tell colours apart. */
export type Shape = "disc" | "ring" | "square" | "diamond" | "triangle" | "cross";
export const SHAPES: readonly Shape[] = ["disc", "ring", "square", "diamond", "triangle", "cross"];

/** What is drawn of the points; one value per point unless said otherwise. */
export interface PointStyles {
  /** HIDDEN, DIMMED, SHOWN or LIT. */
  readonly emphasis: Uint8Array;
  /** An index in `palette`. */
  readonly colour: Uint8Array;
  /** CSS colours; at most 32. */
  readonly palette: readonly string[];
  /** An index in `SHAPES`. */
  readonly shape: Uint8Array;
  /** Diameter in pixels at the usual zoom. */
  readonly size: Uint8Array;
}

/** A text at a place of the map. */
export interface MapLabel {
  readonly id: string;
  readonly text: string;
  readonly kind: "cluster" | "entity" | "memory";
  /** Levels of zoom from which on it is shown: 0 always. */
  readonly level: 0 | 1 | 2;
  readonly position: readonly [number, number];
  readonly position3d: readonly [number, number, number] | undefined;
  /** Shown before all others, at any side of its place. */
  readonly isPinned: boolean;
  /** Labels with a greater weight stay where two collide. */
  readonly weight: number;
}

/** A line between two places of the map: an entity and its memory, or two entities that depend on each other. */
export interface MapLine {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  /** Both or none of them. */
  readonly from3d: readonly [number, number, number] | undefined;
  readonly to3d: readonly [number, number, number] | undefined;
  /** As of labels. */
  readonly level: 0 | 1 | 2;
}

/** Where the map is seen from; kept in the address. */
export interface Camera {
  readonly dimensions: 2 | 3;
  /** The point of the map at the centre. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** 1 shows the whole map. */
  readonly zoom: number;
  /** Radians; in three dimensions only. */
  readonly azimuth: number;
  readonly elevation: number;
}

/** What dragging does: move the map (turn it in three dimensions), or select by an outline or a box. */
export type PointerMode = "pan" | "lasso" | "box";

/** How a selection by the pointer joins the one before. */
export type SelectionChange = "replace" | "add" | "remove";

/** Pairs of indexes of points, the closest first. */
export type Edges = Uint32Array;

/** What the renderer tells. Indexes are of points. */
export interface RendererEvents {
  readonly onhover: (index: number | undefined) => void;
  readonly onopen: (index: number) => void;
  /** The current point has moved, by an arrow key or a click. */
  readonly oncurrent: (index: number) => void;
  /** Points that are hidden or dimmed are never among those of a lasso or a box. */
  readonly onselect: (indexes: Uint32Array, change: SelectionChange) => void;
  readonly onlabel: (label: MapLabel) => void;
  /** The view has come to rest somewhere else, by the pointer or the keyboard. */
  readonly oncamera: (camera: Camera) => void;
}

/** The properties of `Constellation.svelte`. */
export interface RendererProps extends RendererEvents {
  readonly map: StarMap;
  readonly styles: PointStyles;
  readonly labels: readonly MapLabel[];
  readonly edges: Edges | undefined;
  readonly entityEdges?: readonly MapLine[];
  readonly current: number | undefined;
  readonly selected: ReadonlySet<number>;
  /** Bindable. A camera that is set from outside is moved to, at once where `isStill`. */
  camera: Camera;
  /** Bindable: the keys `l`, `b` and Escape change it. */
  mode: PointerMode;
  /** Nothing moves by itself: reduced motion. */
  readonly isStill: boolean;
  /** What the map shows, for readers of the screen. */
  readonly label: string;
}

/** What the page may ask of the mounted renderer: functions that the component exports. */
export interface RendererHandle {
  readonly focus: () => void;
  /** Show the whole map, or these points. */
  readonly fit: (indexes?: Uint32Array) => void;
  /** The view as it is, as PNG. */
  readonly picture: () => Promise<Blob>;
  /** Where a point is, in pixels from the top left; undefined if it isn't seen. */
  readonly place: (index: number) => readonly [number, number] | undefined;
}

export const WHOLE_MAP: Camera = { dimensions: 2, x: 0, y: 0, z: 0, zoom: 1, azimuth: 0, elevation: 0 };
