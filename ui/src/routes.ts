/** The views in sidebar order. Titles, keys, Help links and their tests all come from these entries. */

import Activity from "@lucide/svelte/icons/activity";
import BookOpen from "@lucide/svelte/icons/book-open";
import Inbox from "@lucide/svelte/icons/inbox";
import Layers from "@lucide/svelte/icons/layers";
import ListTodo from "@lucide/svelte/icons/list-todo";
import Users from "@lucide/svelte/icons/users";
import Wind from "@lucide/svelte/icons/wind";
import type { Component } from "svelte";

import { inboxCount } from "$lib/state/inbox-count.svelte";
import type { ViewProps } from "$lib/view-props";

import MemoriesView from "./views/memories/MemoriesView.svelte";

/** The groups of the sidebar, top to bottom. */
export const SECTIONS = ["Memory", "Agents", "Daemon", "Help"] as const;

interface Entry {
  /** The path; paths below it belong to the view too. */
  readonly path: string;
  /** Shown in the sidebar, the command palette, the heading and the window title. */
  readonly title: string;
  readonly icon: typeof Layers;
  readonly section: (typeof SECTIONS)[number];
  /** The key that opens it after `g`. */
  readonly key: string;
  /** Its page of `assets/docs/help`, with or without a section; "" for Help itself. */
  readonly help: string;
  /**
   * The endpoint whose data it shows: while the request is pending the view is loading, when it
   * fails the view has failed. "" for a view that requests nothing. Checked by
   * `tests/browser/test_views.py`.
   */
  readonly reads: string;
  /** What waits there for the user, shown beside its sidebar entry; nothing for 0. */
  readonly count?: () => number;
}

/** A view in the initial bundle. */
interface EagerView extends Entry {
  readonly component: Component<ViewProps>;
}

/** A view loaded when it is first opened. */
interface LazyView extends Entry {
  readonly component?: undefined;
  readonly load: () => Promise<{ default: Component<ViewProps> }>;
}

export type View = EagerView | LazyView;

export const VIEWS: readonly [View, ...View[]] = [
  { path: "/memories", title: "Memories", icon: Layers, section: "Memory", key: "m", help: "memories", reads: "/api/memories", component: MemoriesView },
  { path: "/inbox", title: "Inbox", icon: Inbox, section: "Memory", key: "i", help: "inbox", reads: "/api/inbox", count: () => inboxCount.open, load: () => import("./views/inbox/InboxView.svelte") },
  { path: "/forgotten", title: "Forgotten", icon: Wind, section: "Memory", key: "f", help: "forget#restore-a-forgotten-memory", reads: "/api/memories", load: () => import("./views/memories/forgotten/ForgottenView.svelte") },
  { path: "/agents", title: "Agents", icon: Users, section: "Agents", key: "a", help: "agents", reads: "/api/agents", load: () => import("./views/agents/AgentsView.svelte") },
  { path: "/queue", title: "Queue", icon: ListTodo, section: "Daemon", key: "q", help: "status#queue", reads: "/api/jobs", load: () => import("./views/queue/QueueView.svelte") },
  { path: "/status", title: "Status", icon: Activity, section: "Daemon", key: "s", help: "status", reads: "/api/status", load: () => import("./views/status/StatusView.svelte") },
  { path: "/help", title: "Help", icon: BookOpen, section: "Help", key: "h", help: "", reads: "", load: () => import("./views/help/HelpView.svelte") },
];

export const [FIRST] = VIEWS;

/** The view of a path; the first one for `/`, undefined for an unknown path. */
export function viewAt(path: string): View | undefined {
  if (path === "/") return FIRST;
  return VIEWS.find((view) => path === view.path || path.startsWith(`${view.path}/`));
}

/** The path of a view's Help page; undefined if it has none. */
export function helpPathOf(view: View | undefined): string | undefined {
  return view === undefined || view.help === "" ? undefined : `/help/${view.help}`;
}
