/** The state of the workspace's repository as text. */

import type { GitConfig, GitStatus } from "$lib/api/git";
import { plural } from "$lib/plural";

const AUTH: Readonly<Record<string, string>> = {
  none: "None found",
  ssh: "SSH key",
  address: "Password in the remote’s address",
  "credential-helper": "Git’s credential helper",
  token: "GITHUB_TOKEN",
  gh: "GitHub CLI (gh)",
};

/** How the remote is signed in to. */
export function authText({ authMethod }: Pick<GitStatus, "authMethod">): string {
  return AUTH[authMethod ?? "none"] ?? authMethod ?? "";
}

/** What waits to be committed, pushed or pulled, one phrase each; empty if nothing does. */
export function pendingTexts(status: Pick<GitStatus, "uncommittedChanges" | "unpushedCommits" | "unpulledCommits">): readonly string[] {
  const { uncommittedChanges, unpushedCommits, unpulledCommits } = status;
  return [
    ...(uncommittedChanges ? [`${plural(uncommittedChanges, "file")} not committed`] : []),
    ...(unpushedCommits ? [`${plural(unpushedCommits, "commit")} not pushed`] : []),
    ...(unpulledCommits ? [`${plural(unpulledCommits, "commit")} not pulled`] : []),
  ];
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const USUAL_INTERVALS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const;

function intervalText(seconds: number): string {
  if (seconds % HOUR === 0) return seconds === HOUR ? "Every hour" : `Every ${String(seconds / HOUR)} hours`;
  if (seconds % MINUTE === 0) return seconds === MINUTE ? "Every minute" : `Every ${String(seconds / MINUTE)} minutes`;
  return `Every ${String(seconds)} seconds`;
}

/** The intervals to choose from, in seconds, with the one that is set. */
export function intervalChoices({
  syncInterval,
}: Pick<GitConfig, "syncInterval">): readonly { readonly value: string; readonly label: string }[] {
  const all = new Set<number>([...USUAL_INTERVALS, syncInterval]);
  return [...all].sort((one, other) => one - other).map((seconds) => ({ value: String(seconds), label: intervalText(seconds) }));
}
