import { expect, test } from "vitest";

import type { Neighborhood, NeighborNode } from "$lib/api/client";

import { nodeToward, radialLayout } from "./radial-layout";

const SIZE = { width: 504, height: 428 };
const node = (id: string, depth: number, entityType: NeighborNode["entityType"] = "tool"): NeighborNode => ({
  id,
  name: `Entity ${id}`,
  entityType,
  mentions: 1,
  pinned: false,
  depth,
});
const edge = (source: string, target: string, strength = 0.5): Neighborhood["edges"][number] => ({
  source,
  target,
  type: "uses",
  strength,
});

function around(near: number, far = 0): Neighborhood {
  const first = Array.from({ length: near }, (_, index) => node(`n${String(index)}`, 1));
  const second = Array.from({ length: far }, (_, index) => node(`f${String(index)}`, 2));
  return {
    nodes: [node("c", 0), ...first, ...second],
    edges: [...first.map(({ id }) => edge("c", id)), ...second.map(({ id }, index) => edge(`n${String(index % near)}`, id))],
  };
}

test.each([
  [0, 0],
  [1, 0],
  [6, 0],
  [14, 0],
  [5, 20],
  [1, 9],
  [14, 20],
  [2, 20],
])("%i near and %i far ones are placed within the drawing, apart, and always alike", (near, far) => {
  const layout = radialLayout(around(near, far), SIZE);
  expect(layout.nodes).toHaveLength(1 + near + far);
  expect(layout.edges).toHaveLength(near + far);
  for (const { x, y, radius } of layout.nodes) {
    expect(x - radius).toBeGreaterThan(0);
    expect(x + radius).toBeLessThan(SIZE.width);
    expect(y - radius).toBeGreaterThan(0);
    expect(y + radius).toBeLessThan(SIZE.height);
  }
  for (const one of layout.nodes) {
    for (const other of layout.nodes) {
      if (one !== other) expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.radius + other.radius);
    }
  }
  const { nodes, edges } = around(near, far);
  const turned = { nodes: [...nodes.slice(0, 1), ...nodes.slice(1).reverse()], edges: edges.toReversed() };
  expect(radialLayout(turned, SIZE).nodes).toEqual(layout.nodes);
});

test("entities that depend on each other aren't also drawn as named together", () => {
  const one = around(2);
  const both = { ...one, edges: [...one.edges, ...one.edges.map((edge) => ({ ...edge, type: "mentioned_with" as const }))] };
  expect(radialLayout(both, SIZE).edges.map(({ edge }) => edge.type)).toEqual(["uses", "uses"]);
});

test("labels never cover each other", () => {
  const shown = radialLayout(around(14, 20), SIZE).nodes.filter(({ label }) => !label.isHidden);
  const boxes = shown.map(({ label: { x, y, text, anchor } }) => {
    const width = text.length * 6.6;
    const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
    return { left, right: left + width, top: y - 12, bottom: y + 4 };
  });
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      expect(one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom).toBe(false);
    }
  }
});

test("what doesn't fit is counted, the strongest stay", () => {
  const many = around(30);
  const strong = { ...many, edges: many.edges.map((one) => (one.target === "n29" ? { ...one, strength: 1 } : one)) };
  const layout = radialLayout(strong, SIZE);
  expect([layout.nodes.length, layout.left]).toEqual([15, 16]);
  expect(layout.nodes.map((one) => one.node.id)).toContain("n29");
});

test("arrow keys walk from the center to each side and back", () => {
  const { nodes } = radialLayout(around(4), SIZE);
  for (const [key, back] of [
    ["ArrowUp", "ArrowDown"],
    ["ArrowLeft", "ArrowRight"],
  ] as const) {
    const to = nodeToward(nodes, "c", key)?.node.id ?? "";
    expect(to).toMatch(/^n/u);
    expect(nodeToward(nodes, to, back)?.node.id).toBe("c");
  }
  expect(nodeToward(nodes, "c", "Enter")).toBeUndefined();
  expect(nodeToward(nodes, "unknown", "ArrowUp")).toBeUndefined();
});

test("every node can be reached by arrows", () => {
  const { nodes } = radialLayout(around(9, 16), SIZE);
  const reached = new Set(["c"]);
  for (const id of reached) {
    for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
      const to = nodeToward(nodes, id, key);
      if (to !== undefined) reached.add(to.node.id);
    }
  }
  expect(reached.size).toBe(nodes.length);
});
