/** What is done about an issue: one action each. */

import type { IssueRow } from "$lib/api/health";

export type IssueButton = Exclude<IssueRow["action"], "">;

/** The text of the link to an issue's page. */
const PAGES: Readonly<Record<string, string>> = {
  "/connections": "Connections",
  "/connections/workspace": "Open the workspace",
  "/help/pause": "About pausing",
  "/status#queue": "Go to the queue",
};
/** The text of the button that does something about an issue. */
export const BUTTONS: Readonly<Record<IssueButton, string>> = {
  "confirm-clock": "The clock is right",
  restore: "Restore…",
  repair: "Repair…",
};

export function pageName(page: string): string {
  return PAGES[page] ?? (page.startsWith("/settings/") ? "Change in Settings" : "Details");
}

/** Whether a person has to do something. */
export function isUrgent({ level }: { readonly level: IssueRow["level"] }): boolean {
  return level !== "info";
}
