/** What is done about an issue: one action each. */

import type { IssueRow } from "$lib/api/health";

export type IssueButton = Exclude<IssueRow["action"], "">;

/** The text of the link to an issue's page. */
const PAGES: Readonly<Record<string, string>> = {
  "/connections": "Connections",
  "/connections/workspace": "Open the workspace",
  "/constellation": "Constellation",
  "/help/pause": "About pausing",
  "/logs": "Open the log",
  "/settings": "Settings",
  "/settings/Updates": "Updates",
  "/status#backups": "Go to the backups",
  "/status#queue": "Go to the queue",
};
/** The text of the button that does something about an issue. */
export const BUTTONS: Readonly<Record<IssueButton, string>> = {
  "confirm-clock": "The clock is right",
  restore: "Restore…",
  repair: "Repair…",
};

export function pageName(page: string): string {
  const name = PAGES[page];
  if (name !== undefined) return name;
  if (page.startsWith("/settings/")) return "Change in Settings";
  return page.startsWith("/projects/") ? "Open the project" : "Details";
}

/** Whether a person has to do something. */
export function isUrgent({ level }: { readonly level: IssueRow["level"] }): boolean {
  return level !== "info";
}
