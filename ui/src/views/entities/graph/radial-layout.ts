/**
 * Places the entities around one on two rings: the same neighbours are always placed alike. All
 * lengths are pixels of the drawing, so that its text isn't scaled.
 */

import type { NeighborEdge, Neighborhood, NeighborNode } from "$lib/api/client";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Label extends Point {
  readonly text: string;
  readonly anchor: "start" | "middle" | "end";
  /** It would cover another one: shown only with its node's focus. */
  readonly isHidden: boolean;
}

export interface PlacedNode extends Point {
  readonly node: NeighborNode;
  readonly radius: number;
  readonly label: Label;
}

export interface PlacedEdge {
  readonly edge: NeighborEdge;
  /** The path from its source to its target. */
  readonly path: string;
  /** One of many that say little: shown only with the focus of one of its ends. */
  readonly isHidden: boolean;
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  /** Neighbours that aren't drawn; the list has them. */
  readonly left: number;
}

const RADII = [17, 13, 9] as const;
/** With an outer ring there is less room on the inner one. */
const TIGHT_RADII = [16, 11, 8] as const;
const MOST_NEAR = 14;
const MOST_FAR = 20;
/** The room for labels beside and above the outer ring. */
const SIDE_PX = 96;
const TOP_PX = 36;
/** Where the inner ring is if there is an outer one. */
const INNER = 0.56;
/** The least angle between nodes of the outer ring, if they all fit. */
const LEAST_ANGLE = (2 * Math.PI) / 22;
const MOST_PUSHES = 200;
const CHAR_PX = 6.6;
const LINE_PX = 16;
const LABEL_GAP = 5;
const MOST_CHARS = 22;
const TOP = -Math.PI / 2;
/** How far edges between the same two nodes are apart. */
const ASIDE_PX = 28;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function pairOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

/** The strongest edge of each pair of nodes. */
function strengths(edges: readonly NeighborEdge[]): (one: string, other: string) => number {
  const byPair = new Map<string, number>();
  for (const { source, target, strength } of edges) {
    const pair = pairOf(source, target);
    byPair.set(pair, Math.max(byPair.get(pair) ?? 0, strength));
  }
  return (one, other) => byPair.get(pairOf(one, other)) ?? 0;
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Similar ones stand together. */
function inOrder(one: NeighborNode, other: NeighborNode): number {
  return (
    byText(one.entityType, other.entityType) || other.mentions - one.mentions || byText(one.name, other.name) || byText(one.id, other.id)
  );
}

interface Branch {
  readonly node: NeighborNode;
  readonly far: readonly NeighborNode[];
}

/** The neighbours to draw, each with those behind it. */
function branches({ nodes, edges }: Neighborhood): readonly Branch[] {
  const [center] = nodes;
  if (center === undefined) return [];
  const strength = strengths(edges);
  const near = nodes
    .filter(({ depth }) => depth === 1)
    .sort(
      (one, other) =>
        strength(center.id, other.id) - strength(center.id, one.id) || other.mentions - one.mentions || byText(one.id, other.id),
    )
    .slice(0, MOST_NEAR)
    .sort(inOrder);
  const far = nodes
    .filter(({ depth }) => depth > 1)
    .flatMap((node) => {
      const parent = near.toSorted((one, other) => strength(node.id, other.id) - strength(node.id, one.id) || byText(one.id, other.id))[0];
      const how = parent === undefined ? 0 : strength(node.id, parent.id);
      return parent === undefined || how === 0 ? [] : [{ node, parent: parent.id, how }];
    })
    .sort((one, other) => other.how - one.how || other.node.mentions - one.node.mentions || byText(one.node.id, other.node.id))
    .slice(0, MOST_FAR);
  return near.map((node) => ({
    node,
    far: far
      .filter(({ parent }) => parent === node.id)
      .map((one) => one.node)
      .sort(inOrder),
  }));
}

function cut(text: string, room: number): string {
  const points = Array.from(text);
  const most = Math.max(3, Math.min(MOST_CHARS, Math.floor(room / CHAR_PX)));
  return points.length <= most ? text : `${points.slice(0, most - 1).join("")}…`;
}

function boxOf({ x, y, text, anchor }: Omit<Label, "isHidden">): Box {
  const width = Array.from(text).length * CHAR_PX;
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, top: y - LINE_PX + 4, right: left + width, bottom: y + 4 };
}

function isOver(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** Where the label of a node may be, best first: outwards on the outer ring, else below. */
function labelsOf(name: string, at: Point, radius: number, size: Size, isOuter: boolean): readonly Omit<Label, "isHidden">[] {
  const dx = at.x - size.width / 2;
  const dy = at.y - size.height / 2;
  const gap = radius + LABEL_GAP;
  const across = cut(name, 2 * Math.min(at.x, size.width - at.x));
  const below = { x: at.x, y: at.y + radius + LINE_PX - 2, text: across, anchor: "middle" } as const;
  const above = { x: at.x, y: at.y - gap, text: across, anchor: "middle" } as const;
  const right = { x: at.x + gap, y: at.y + 4, text: cut(name, size.width - at.x - gap), anchor: "start" } as const;
  const left = { x: at.x - gap, y: at.y + 4, text: cut(name, at.x - gap), anchor: "end" } as const;
  const [beside, vertical] = [dx < 0 ? left : right, dy < 0 ? above : below];
  if (isOuter) return Math.abs(dx) > Math.abs(dy) * 0.6 ? [beside, vertical] : [vertical, beside];
  return [below, beside, above, dx < 0 ? right : left];
}

/**
 * From the rim of one node to the rim of another. Those not at the center bend towards it, and each
 * further edge between the same two (`place`, from 0) bends aside.
 */
function pathBetween(from: PlacedNode, to: PlacedNode, size: Size, place: number): string {
  const center = { x: size.width / 2, y: size.height / 2 };
  const isRadial = from.node.depth === 0 || to.node.depth === 0;
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const pull = isRadial ? 0 : 0.22;
  const [dx, dy] = from.node.id < to.node.id ? [to.x - from.x, to.y - from.y] : [from.x - to.x, from.y - to.y];
  const aside = (place * ASIDE_PX) / (Math.hypot(dx, dy) || 1);
  const bend = { x: middle.x + (center.x - middle.x) * pull - dy * aside, y: middle.y + (center.y - middle.y) * pull + dx * aside };
  const rim = (node: PlacedNode, toward: Point, more: number): string => {
    const [dx, dy] = [toward.x - node.x, toward.y - node.y];
    const length = Math.hypot(dx, dy) || 1;
    const by = (node.radius + more) / length;
    return `${(node.x + dx * by).toFixed(1)} ${(node.y + dy * by).toFixed(1)}`;
  };
  const [start, end] = [rim(from, bend, 1), rim(to, bend, 3)];
  return isRadial && place === 0 ? `M${start} L${end}` : `M${start} Q${bend.x.toFixed(1)} ${bend.y.toFixed(1)} ${end}`;
}

/** Push ascending angles apart until neighbours on the ring have room, or all are even. */
function pushedApart(wanted: readonly number[]): readonly number[] {
  const angles = [...wanted];
  const least = Math.min(LEAST_ANGLE, (2 * Math.PI) / Math.max(1, angles.length));
  for (let push = 0; push < MOST_PUSHES; push++) {
    let isMoved = false;
    for (let index = 0; index < angles.length && angles.length > 1; index++) {
      const next = (index + 1) % angles.length;
      const turn = next === 0 ? 2 * Math.PI : 0;
      const missing = least - ((angles[next] ?? 0) + turn - (angles[index] ?? 0));
      if (missing < 1e-4) continue;
      angles[index] = (angles[index] ?? 0) - missing / 2;
      angles[next] = (angles[next] ?? 0) + missing / 2;
      isMoved = true;
    }
    if (!isMoved) break;
  }
  return angles;
}

export function radialLayout(around: Neighborhood, size: Size): Layout {
  const [center] = around.nodes;
  if (center === undefined) return { nodes: [], edges: [], left: 0 };
  const all = branches(around);
  const hasFar = all.some(({ far }) => far.length > 0);
  const middle = { x: size.width / 2, y: size.height / 2 };
  const reach = { x: Math.max(60, middle.x - SIDE_PX), y: Math.max(60, middle.y - TOP_PX) };
  const on = (ring: number, angle: number): Point => ({
    x: middle.x + Math.cos(angle) * reach.x * ring,
    y: middle.y + Math.sin(angle) * reach.y * ring,
  });
  const spots: { readonly node: NeighborNode; readonly at: Point }[] = [{ node: { ...center, depth: 0 }, at: middle }];
  const span = (2 * Math.PI) / Math.max(1, all.length);
  const outer: { readonly node: NeighborNode; readonly angle: number }[] = [];
  for (const [index, { node, far }] of all.entries()) {
    const angle = TOP + index * span;
    spots.push({ node, at: on(hasFar ? INNER : 1, angle) });
    for (const [place, one] of far.entries())
      outer.push({ node: one, angle: angle + (place - (far.length - 1) / 2) * (span / Math.max(4, far.length)) });
  }
  const angles = pushedApart(outer.map(({ angle }) => angle));
  for (const [index, { node }] of outer.entries()) spots.push({ node, at: on(1, angles[index] ?? 0) });
  // The nearest labels first: they stay where two would cover each other.
  const radii = hasFar ? TIGHT_RADII : RADII;
  const radiusOf = (depth: number): number => radii[Math.min(depth, radii.length - 1)] ?? RADII[1];
  const circles = spots.map(({ at, node }) => {
    const radius = radiusOf(node.depth);
    return { id: node.id, left: at.x - radius, top: at.y - radius, right: at.x + radius, bottom: at.y + radius };
  });
  const taken: Box[] = [];
  const placed = spots
    .toSorted((one, other) => one.node.depth - other.node.depth)
    .map(({ node, at }): PlacedNode => {
      const radius = radiusOf(node.depth);
      const labels = labelsOf(node.name, at, radius, size, node.depth > 1 || (node.depth === 1 && !hasFar));
      const isFree = (box: Box): boolean =>
        !taken.some((other) => isOver(box, other)) && !circles.some((circle) => circle.id !== node.id && isOver(box, circle));
      const [usual] = labels;
      const label = node.depth === 0 ? usual : labels.find((one) => isFree(boxOf(one)));
      if (label !== undefined) taken.push(boxOf(label));
      const shown = label ?? usual ?? { x: at.x, y: at.y, text: node.name, anchor: "middle" };
      return { node, x: at.x, y: at.y, radius, label: { ...shown, isHidden: label === undefined } };
    });
  const byId = new Map(placed.map((one) => [one.node.id, one]));
  const drawn = new Map<string, number>();
  const dependent = new Set(
    around.edges.filter(({ type }) => type !== "mentioned_with").map(({ source, target }) => pairOf(source, target)),
  );
  const edges = around.edges.flatMap((edge): PlacedEdge[] => {
    const [from, to] = [byId.get(edge.source), byId.get(edge.target)];
    if (from === undefined || to === undefined || from === to) return [];
    const pair = pairOf(edge.source, edge.target);
    // What depends on each other is named together anyway.
    if (edge.type === "mentioned_with" && dependent.has(pair)) return [];
    const place = drawn.get(pair) ?? 0;
    drawn.set(pair, place + 1);
    const isHidden = hasFar && edge.type === "mentioned_with" && from.node.depth === to.node.depth;
    return [{ edge, path: pathBetween(from, to, size, place), isHidden }];
  });
  return { nodes: placed, edges, left: around.nodes.length - placed.length };
}

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** The node that an arrow key leads to: the nearest one in about that direction. */
export function nodeToward(nodes: readonly PlacedNode[], from: string, key: string): PlacedNode | undefined {
  const direction = DIRECTIONS[key];
  const start = nodes.find(({ node }) => node.id === from);
  if (direction === undefined || start === undefined) return undefined;
  let [best, least] = [undefined as PlacedNode | undefined, Infinity];
  for (const one of nodes) {
    const [dx, dy] = [one.x - start.x, one.y - start.y];
    const along = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y - dy * direction.x);
    if (along <= 1 || aside > along * 2) continue;
    const cost = along + aside * 1.5;
    if (cost < least) [best, least] = [one, cost];
  }
  return best;
}
