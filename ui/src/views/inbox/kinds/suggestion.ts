/** A memory that capture or an agent suggests. */

import Check from "@lucide/svelte/icons/check";
import Globe from "@lucide/svelte/icons/globe";
import Pencil from "@lucide/svelte/icons/pencil";
import Trash from "@lucide/svelte/icons/trash-2";

import type { InboxRow } from "$lib/api/client";
import { typeOf } from "$lib/memory/types";

import type { Kind } from "./kind";
import SuggestionDetail from "./SuggestionDetail.svelte";
import { percent, quoted } from "./texts";

/** How sure capture is, and why it asks; both shares are 0 to 1. */
export function confidenceText({ confidence, keep_at }: Pick<InboxRow, "confidence" | "keep_at">): string {
  const sure = `${percent(confidence)} sure`;
  if (confidence >= keep_at) return `${sure}, but it may not make sense on its own.`;
  return `${sure}. Saved without asking from ${String(Math.round(keep_at * 1_000) / 10)}%.`;
}

const isFromFile = ({ source }: InboxRow): boolean => source === "file";
const isClaim = ({ origin }: InboxRow): boolean => origin === "agent";

export const SUGGESTION: Kind = {
  kind: "suggestion",
  plural: "Suggestions",
  icon: ({ type }) => typeOf(type).icon,
  label: ({ type }) => typeOf(type).label,
  heading: ({ type }) => `Suggested ${typeOf(type).label.toLowerCase()}`,
  badge: (item) => (isFromFile(item) ? "Read in a file" : isClaim(item) ? "Claimed by the agent" : undefined),
  showsType: true,
  detail: SuggestionDetail,
  added: "Suggested",
  choices: [
    { id: "keep", action: "keep", keys: ["y"], label: "Keep", icon: Check, isPrimary: true, words: "accept", bulk: "keep" },
    { id: "edit", action: "keep", keys: ["e"], label: "Edit and keep", icon: Pencil, edits: "item" },
    {
      id: "keepWide",
      action: "keep",
      keys: ["w"],
      label: "Keep for all projects",
      icon: Globe,
      words: "global scope everywhere",
      when: ({ project }) => project !== null,
      edit: { project: null },
    },
    { id: "drop", action: "drop", keys: ["d", "#", "Delete"], label: "Drop", icon: Trash, words: "reject dismiss", bulk: "drop" },
  ],
  outcomes: {
    keep: { said: (content) => `Kept ${quoted(content)}.`, short: "Kept", full: "Kept" },
    drop: { said: (content) => `Dropped ${quoted(content)}.`, short: "Dropped", full: "Dropped" },
  },
  facts: (item) => (isClaim(item) ? [] : [["Confidence", confidenceText(item)]]),
  memory: ({ action, memory_id }) => (action === "keep" || action === "said_again" ? memory_id : null),
};
