/** The pages of Help by group, in reading order. Titles come from the pages themselves. */

export interface Group {
  readonly name: string;
  /** Names of files in `assets/docs/help`, without `.md`. */
  readonly pages: readonly string[];
}

/** The group of all pages not listed elsewhere, so that none is unreachable. */
export const REST = "More";

export const FRONT: readonly Group[] = [
  { name: "Start", pages: ["get-started", "connections", "import", "home", "sessions"] },
  {
    name: "Memories",
    pages: [
      "memories",
      "constellation",
      "entities",
      "statistics",
      "inbox",
      "capture",
      "memory-files",
      "commits",
      "edit",
      "forget",
      "pause",
    ],
  },
  {
    name: "Agents and privacy",
    pages: ["agents", "codex", "opencode", "openclaw", "other-agents", "workspace", "tools", "language-model", "privacy"],
  },
  { name: "The app", pages: ["tray", "notifications", "dashboard", "status", "repairs", "logs", "troubleshooting", "update", "uninstall"] },
  { name: "Reference", pages: ["settings", "cli"] },
  { name: REST, pages: [] },
];
