/** The views, in the order of the rail: where each is, what it is called, and how it comes. */

import Layers from "@lucide/svelte/icons/layers";
import ListTodo from "@lucide/svelte/icons/list-todo";
import Shapes from "@lucide/svelte/icons/shapes";
import Users from "@lucide/svelte/icons/users";
import Wind from "@lucide/svelte/icons/wind";
import type { Component } from "svelte";

import Memories from "./views/memories/Memories.svelte";

/** The parts of the rail, from the top. */
export const SECTIONS = ["Memory", "Agents", "Daemon", "Help"] as const;

interface Place {
  /** The path, with all below it. */
  readonly path: string;
  /** Its name in the rail, the palette and the window's title. */
  readonly label: string;
  readonly icon: typeof Layers;
  readonly section: (typeof SECTIONS)[number];
  /** The letter that leads here after `g`. */
  readonly letter: string;
}

/** A view that is part of the first load. */
interface Present extends Place {
  readonly component: Component;
}

/** A view that comes when it is first looked at. */
interface Later extends Place {
  readonly component?: undefined;
  readonly load: () => Promise<{ default: Component }>;
}

export type View = Present | Later;

export const FIRST: View = { path: "/memories", label: "Memories", icon: Layers, section: "Memory", letter: "m", component: Memories };

export const VIEWS: readonly View[] = [
  FIRST,
  { path: "/forgotten", label: "Forgotten", icon: Wind, section: "Memory", letter: "f", load: () => import("./views/memories/forgotten/Forgotten.svelte") },
  { path: "/agents", label: "Agents", icon: Users, section: "Agents", letter: "a", load: () => import("./views/agents/Agents.svelte") },
  { path: "/queue", label: "Queue", icon: ListTodo, section: "Daemon", letter: "q", load: () => import("./views/queue/Queue.svelte") },
];

/** Views that the rail does not show: for those who work on the dashboard. */
export const HIDDEN: readonly View[] = [
  { path: "/gallery", label: "Parts", icon: Shapes, section: "Help", letter: "", load: () => import("./views/gallery/Gallery.svelte") },
];

/** The view of a path; the first one for the bare address, none for a path that nobody has. */
export function viewAt(path: string): View | undefined {
  if (path === "/") return FIRST;
  return [...VIEWS, ...HIDDEN].find((view) => path === view.path || path.startsWith(`${view.path}/`));
}
