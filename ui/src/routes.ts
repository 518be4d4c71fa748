/** The views in sidebar order. Titles, keys, Help links and their tests all come from these entries. */

import Activity from "@lucide/svelte/icons/activity";
import BookOpen from "@lucide/svelte/icons/book-open";
import ChartColumn from "@lucide/svelte/icons/chart-column";
import Folders from "@lucide/svelte/icons/folders";
import Gift from "@lucide/svelte/icons/gift";
import History from "@lucide/svelte/icons/history";
import House from "@lucide/svelte/icons/house";
import Inbox from "@lucide/svelte/icons/inbox";
import ListChecks from "@lucide/svelte/icons/list-checks";
import Layers from "@lucide/svelte/icons/layers";
import MessagesSquare from "@lucide/svelte/icons/messages-square";
import Orbit from "@lucide/svelte/icons/orbit";
import Plug from "@lucide/svelte/icons/plug";
import ScrollText from "@lucide/svelte/icons/scroll-text";
import Settings from "@lucide/svelte/icons/settings";
import Sparkles from "@lucide/svelte/icons/sparkles";
import Sprout from "@lucide/svelte/icons/sprout";
import Users from "@lucide/svelte/icons/users";
import Waypoints from "@lucide/svelte/icons/waypoints";
import type { Component } from "svelte";

import { agentCount } from "$lib/state/agents.svelte";
import { importListing } from "$lib/import/import-listing.svelte";
import { reviewCount } from "$lib/review/review-count.svelte";
import { inboxCount } from "$lib/state/inbox-count.svelte";
import { projectPath } from "$lib/projects/projects.svelte";
import type { ViewProps } from "$lib/view-props";

import HomeView from "./views/home/HomeView.svelte";

/** The groups of the sidebar, top to bottom. */
export const SECTIONS = ["Home", "Projects", "Memory", "Daemon"] as const;

interface Entry {
  /** The path; paths below it belong to the view too. */
  readonly path: string;
  /** Shown in the sidebar, the command palette, the heading and the window title. */
  readonly title: string;
  readonly icon: typeof Layers;
  readonly section: (typeof SECTIONS)[number];
  /** The key that opens it after `g`. */
  readonly key: string;
  /** What else people call it or look for there, for the command palette. */
  readonly words?: string;
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
  /** Whether the sidebar lists it while another view is shown; without this, always. */
  readonly isListed?: () => boolean;
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

// prettier-ignore
export const VIEWS: readonly [View, ...View[]] = [
  { path: "/home", title: "Home", icon: House, section: "Home", key: "h", words: "start overview dashboard today next session context preview captured today", help: "home", reads: "/api/projects", component: HomeView },
  { path: "/inbox", title: "Inbox", icon: Inbox, section: "Home", key: "i", words: "suggestions suggested approve decide contradictions waiting review pending", help: "inbox", reads: "/api/inbox", count: () => inboxCount.open, load: () => import("./views/inbox/InboxView.svelte") },
  { path: "/welcome", title: "Welcome", icon: Sprout, section: "Home", key: "w", words: "first run setup set up wizard onboarding get started tour try a line", help: "get-started", reads: "/api/harnesses", isListed: () => false, load: () => import("./views/welcome/WelcomeView.svelte") },
  { path: "/projects", title: "Projects", icon: Folders, section: "Projects", key: "p", words: "folders repositories repos workspaces directories all projects", help: "home#projects", reads: "/api/projects", load: () => import("./views/projects/ProjectsView.svelte") },
  { path: "/memories", title: "Memories", icon: Layers, section: "Memory", key: "m", words: "facts decisions rules preferences notes everything known", help: "memories", reads: "/api/memories", load: () => import("./views/memories/MemoriesPage.svelte") },
  { path: "/review", title: "Capture review", icon: ListChecks, section: "Memory", key: "v", words: "captured check clean up noise", help: "review", reads: "/api/capture/review", isListed: () => reviewCount.open > 0, load: () => import("./views/review/ReviewView.svelte") },
  { path: "/entities", title: "Entities", icon: Waypoints, section: "Memory", key: "t", words: "people person who tools services systems graph knowledge names", help: "entities", reads: "/api/knowledge/entities", load: () => import("./views/entities/EntitiesView.svelte") },
  { path: "/constellation", title: "Constellation", icon: Orbit, section: "Memory", key: "x", words: "map umap projection embeddings vectors clusters points space time travel 3d", help: "constellation", reads: "/api/embeddings/projection/state", load: () => import("./views/constellation/ConstellationView.svelte") },
  { path: "/sessions", title: "Sessions", icon: MessagesSquare, section: "Memory", key: "e", words: "conversations transcripts chats prompts history told activity ledger", help: "sessions", reads: "/api/sessions", load: () => import("./views/sessions/SessionsView.svelte") },
  { path: "/statistics", title: "Statistics", icon: ChartColumn, section: "Memory", key: "u", words: "stats growth how many counts numbers charts usage learned week told tokens csv", help: "statistics", reads: "/api/statistics", load: () => import("./views/statistics/StatisticsView.svelte") },
  { path: "/connections", title: "Connections", icon: Plug, section: "Daemon", key: "c", words: "agents harnesses hooks mcp setup install claude code codex", help: "connections", reads: "/api/harnesses", load: () => import("./views/connections/ConnectionsView.svelte") },
  { path: "/import", title: "Import", icon: History, section: "Daemon", key: "r", words: "history past sessions old conversations chatgpt claude export upload", help: "import", reads: "/api/imports/sources", isListed: () => importListing.isListed, load: () => import("./views/import/ImportView.svelte") },
  { path: "/agents", title: "Agents", icon: Users, section: "Daemon", key: "a", words: "accounts permissions read policy who may read", help: "agents", reads: "/api/agents", isListed: () => agentCount.isSeveral, load: () => import("./views/agents/AgentsView.svelte") },
  { path: "/pipeline", title: "Pipeline", icon: Sparkles, section: "Daemon", key: "l", words: "language model llm ai extraction stages proposals shadow calls tokens cost pause", help: "pipeline", reads: "/api/pipeline/stages", isListed: () => false, load: () => import("./views/pipeline/PipelineView.svelte") },
  { path: "/status", title: "Health", icon: Activity, section: "Daemon", key: "s", words: "status diagnostics doctor repair maintenance checks daemon backup backups version uptime errors problems issues bug report disk space", help: "status", reads: "/api/health", load: () => import("./views/health/HealthView.svelte") },
  { path: "/logs", title: "Logs", icon: ScrollText, section: "Daemon", key: "j", words: "log journal messages tail follow errors warnings tracebacks requests debug", help: "logs", reads: "/api/logs", isListed: () => false, load: () => import("./views/logs/LogsView.svelte") },
  { path: "/settings", title: "Settings", icon: Settings, section: "Daemon", key: ",", words: "preferences options configuration agent.yaml", help: "settings", reads: "/api/settings", load: () => import("./views/settings/SettingsView.svelte") },
  { path: "/whats-new", title: "What's new", icon: Gift, section: "Daemon", key: "n", words: "changelog release notes changes version update whats new", help: "update", reads: "/api/changelog", isListed: () => false, load: () => import("./views/whats-new/WhatsNewView.svelte") },
  { path: "/help", title: "Help", icon: BookOpen, section: "Daemon", key: "d", words: "documentation docs manual guide how to faq support", help: "", reads: "", load: () => import("./views/help/HelpView.svelte") },
];

export const [FIRST] = VIEWS;

/** The view of a path; the first one for `/`, undefined for an unknown path. */
export function viewAt(path: string): View | undefined {
  if (path === "/") return FIRST;
  return VIEWS.find((view) => path === view.path || path.startsWith(`${view.path}/`));
}

/** A part of a view that the command palette leads to. */
interface Part {
  readonly id: string;
  readonly title: string;
  /** The key that opens it after `g`, if it has one. */
  readonly key?: string;
  readonly to: string;
  readonly words: string;
}

// prettier-ignore
export const PARTS: readonly Part[] = [
  { id: "forgotten", title: "Forgotten memories", key: "f", to: "/memories?forgotten=1", words: "restore deleted erase trash bin recover undelete undo" },
  { id: "commits", title: "Commits", key: "o", to: "/memories?commits=1", words: "git history messages changes why" },
  { id: "pinned", title: "Pinned memories", key: "k", to: "/memories?pinned=1", words: "pins favourites favorites starred" },
  { id: "global", title: "Memories for all projects", key: "b", to: projectPath(null), words: "global no project everywhere" },
  { id: "yesterday", title: "Yesterday's sessions", key: "y", to: "/sessions?when=yesterday", words: "told show time when" },
  { id: "sources", title: "Sources", to: "/memories?sources=1", words: "taken back take back rollback origin where from" },
  { id: "workspace", title: "Workspace", to: "/connections/workspace", words: "agents.md claude.md sync files instructions git repository soul identity user" },
  { id: "updates", title: "Updates", to: "/settings/Updates", words: "version upgrade check newer release install" },
  { id: "queue", title: "Queue", key: "q", to: "/status#queue", words: "jobs failed background waiting work" },
  { id: "figures", title: "Figures", to: "/status#figures", words: "metrics usage ram cpu size" },
];

/** Addresses from before, and where their content is now. */
const MOVED: Readonly<Record<string, string>> = {
  "/forgotten": "/memories?forgotten=1",
  "/queue": "/status#queue",
  "/status#connect": "/connections",
};

/** Where the content of an earlier address is now; undefined for any other address. */
export function movedTo(path: string, hash: string): string | undefined {
  return MOVED[path + hash];
}

/** The path of a view's Help page; undefined if it has none. */
export function helpPathOf(view: View | undefined): string | undefined {
  return view === undefined || view.help === "" ? undefined : `/help/${view.help}`;
}
