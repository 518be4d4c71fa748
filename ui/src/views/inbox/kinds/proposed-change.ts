/** A change of a memory that an agent proposes. */

import Bot from "@lucide/svelte/icons/bot";
import Check from "@lucide/svelte/icons/check";

import type { InboxChange } from "$lib/api/client";
import { typeOf } from "$lib/memory/types";

import type { Kind } from "./kind";
import ProposedChange from "./ProposedChange.svelte";
import { quoted } from "./texts";

/** What an agent proposes of a memory besides its text, one line each. */
export function wantedTexts(change: InboxChange): string[] {
  const texts = change.forget ? ["Forget the memory"] : [];
  if (typeof change.type === "string") texts.push(`Type: ${typeOf(change.type).label}`);
  if (typeof change.importance === "number") texts.push(`Importance: ${change.importance.toLocaleString()}`);
  if (Array.isArray(change.tags)) texts.push(`Tags: ${change.tags.length === 0 ? "none" : change.tags.join(", ")}`);
  return texts;
}

const forgets = ({ change }: { readonly change?: InboxChange | null }): boolean => change?.forget === true;

export const PROPOSED_CHANGE: Kind = {
  kind: "proposed_change",
  plural: "Proposed changes",
  icon: () => Bot,
  label: () => "Proposed change",
  heading: (item) => (forgets(item) ? "An agent wants to forget this" : "An agent wants to change this"),
  remark: (item) => (forgets(item) ? "Agent wants to forget it" : "Agent wants to change it"),
  added: "Proposed",
  agentHeading: "The agent's reason",
  choices: [
    {
      id: "apply",
      action: "apply",
      keys: ["a"],
      label: "Apply",
      icon: Check,
      words: "accept change forget",
      button: (item) => (forgets(item) ? "Forget it" : "Apply"),
      bulk: "apply",
    },
    { id: "reject", action: "reject", keys: ["r"], label: "Keep as it is", isPrimary: true, words: "reject", bulk: "reject" },
  ],
  outcomes: {
    apply: { said: (content) => `Applied the change to ${quoted(content)}.`, short: "Applied", full: "Applied the change" },
    reject: { said: (content) => `Left ${quoted(content)} as it is.`, short: "Left as it is", full: "Left the memory as it is" },
  },
  detail: ProposedChange,
};
