/** The views, in the order of the rail: where each is, what it is called, and how it comes. */

import Activity from "@lucide/svelte/icons/activity";
import BookOpen from "@lucide/svelte/icons/book-open";
import Layers from "@lucide/svelte/icons/layers";
import ListTodo from "@lucide/svelte/icons/list-todo";
import Users from "@lucide/svelte/icons/users";
import Wind from "@lucide/svelte/icons/wind";
import type { Component } from "svelte";

import Memories from "./views/memories/Memories.svelte";

interface Place {
  readonly path: string;
  readonly label: string;
  readonly icon: typeof Layers;
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

export const FIRST: View = { path: "/memories", label: "Memories", icon: Layers, component: Memories };

export const VIEWS: readonly View[] = [
  FIRST,
  { path: "/forgotten", label: "Forgotten", icon: Wind, load: () => import("./views/memories/forgotten/Forgotten.svelte") },
  { path: "/agents", label: "Agents", icon: Users, load: () => import("./views/agents/Agents.svelte") },
  { path: "/queue", label: "Queue", icon: ListTodo, load: () => import("./views/queue/Queue.svelte") },
  { path: "/status", label: "Status", icon: Activity, load: () => import("./views/status/Status.svelte") },
  { path: "/help", label: "Help", icon: BookOpen, load: () => import("./views/help/Help.svelte") },
];

/** The view of a path; the first one where no other has it. */
export function viewAt(path: string): View {
  return VIEWS.find((view) => path === view.path || path.startsWith(`${view.path}/`)) ?? FIRST;
}
