/** Commits in words: their kinds, short hashes and addresses. */

import GitCommitHorizontal from "@lucide/svelte/icons/git-commit-horizontal";
import GitMerge from "@lucide/svelte/icons/git-merge";
import Undo from "@lucide/svelte/icons/undo-2";

import type { CommitRef, CommitRow } from "$lib/api/client";

/** As many digits as sessions are told. */
const SHORT_HASH = 8;

export const COMMIT_KINDS: Record<CommitRow["kind"], { readonly label: string; readonly icon: typeof GitMerge }> = {
  commit: { label: "Commit", icon: GitCommitHorizontal },
  merge: { label: "Merge", icon: GitMerge },
  revert: { label: "Revert", icon: Undo },
};

export const shortHash = (hash: string): string => hash.slice(0, SHORT_HASH);

/** The list of commits with this one alone. */
export function commitPath({ project, hash }: CommitRef): string {
  return `/memories?${new URLSearchParams({ commits: "1", project, q: hash }).toString()}`;
}

/** The list of a project's commits, or of all. */
export function commitsPath(project?: string): string {
  return `/memories?${new URLSearchParams({ commits: "1", ...(project === undefined ? {} : { project }) }).toString()}`;
}

/** What begins a line of its own: an item of a list, code, a quotation, or a trailer such as "Signed-off-by: …". */
const OWN_LINE = /^(?:\s|[-*+>#|]|\d{1,3}[.)]\s|[A-Z][\w-]{1,40}: )/u;
/** Editors break lines at 72 characters or so; a much shorter one was ended on purpose. */
const BROKEN_CHARS = 50;

/** A message as it is read in any width: the line breaks of the editor are undone. */
export function unwrapped(body: string): string {
  const lines: string[] = [];
  let last = "";
  for (const line of body.split("\n")) {
    const goesOn = last.length >= BROKEN_CHARS && line !== "" && !OWN_LINE.test(line) && !/^\s/u.test(last);
    if (goesOn) lines.push(`${lines.pop() ?? ""} ${line}`);
    else lines.push(line);
    last = line;
  }
  return lines.join("\n");
}
