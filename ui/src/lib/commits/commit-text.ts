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
