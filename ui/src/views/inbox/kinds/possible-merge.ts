/** Two entities that may be one. */

import GitMerge from "@lucide/svelte/icons/git-merge";

import EntityPair from "./EntityPair.svelte";
import type { Kind } from "./kind";
import { percent, quoted } from "./texts";

export const POSSIBLE_MERGE: Kind = {
  kind: "possible_merge",
  plural: "Possible merges",
  icon: () => GitMerge,
  label: () => "Possible merge",
  choices: [
    { id: "merge", action: "merge", keys: ["m"], label: "Merge", icon: GitMerge, isPrimary: true, words: "same entity" },
    { id: "keepApart", action: "keep_apart", keys: ["a"], label: "Keep apart", words: "different entities" },
  ],
  outcomes: {
    merge: { said: (content) => `Merged ${quoted(content)}.`, short: "Merged", full: "Merged into one entity" },
    keep_apart: { said: (content) => `Kept ${quoted(content)} apart.`, short: "Kept apart", full: "Kept apart as two entities" },
  },
  detail: EntityPair,
  facts: ({ confidence }) => [["Similarity", percent(confidence)]],
};
