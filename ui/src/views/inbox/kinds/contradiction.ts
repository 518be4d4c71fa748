/** Two memories that contradict each other. */

import GitCompareArrows from "@lucide/svelte/icons/git-compare-arrows";

import ContradictionPair from "./ContradictionPair.svelte";
import type { Kind } from "./kind";

export const CONTRADICTION: Kind = {
  kind: "contradiction",
  plural: "Contradictions",
  icon: () => GitCompareArrows,
  label: () => "Contradiction",
  // Several may be about the same newer memory.
  other: ({ memories: [older, newer] }) => (older === undefined || newer === undefined ? undefined : ["older", older.content]),
  choices: [
    { id: "keepBoth", action: "keep_both", keys: ["b"], label: "Keep both", bulk: "keep" },
    { id: "newerWins", action: "newer_wins", keys: ["n"], label: "Keep newer", title: "Replaces the older memory", words: "newer wins" },
    { id: "olderWins", action: "drop", keys: ["o"], label: "Keep older", title: "Forgets the newer memory", words: "older wins drop" },
    { id: "editNewer", action: "keep_both", keys: ["e"], label: "Edit newer, keep both", edits: "memory" },
  ],
  outcomes: {
    keep_both: { said: () => "Kept both memories.", short: "Kept both", full: "Kept both memories" },
    newer_wins: { said: () => "The newer memory replaces the older one.", short: "Kept newer", full: "Kept the newer memory" },
    drop: { said: () => "Kept the older memory and forgot the newer one.", short: "Kept older", full: "Kept the older memory" },
  },
  detail: ContradictionPair,
};
