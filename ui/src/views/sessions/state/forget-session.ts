/** Forgetting everything from a session, with one Undo for all of it. */

import { api, type SessionForgetReply } from "$lib/api/client";
import { toasts } from "$lib/state/toasts.svelte";
import { offerUndo } from "$lib/state/undo";

import { counted, memories } from "./session-text";

const REASON = "undone in the dashboard";
/** The most memories that one request restores. */
const MOST_ITEMS = 200;

/** Say what was forgotten, and offer to undo it. */
export function offerSessionUndo({ forgotten, kept, dropped }: SessionForgetReply, messages = 0): void {
  const text = sentence("forgot", forgotten.length, "dropped", dropped.length);
  const hint = kept.length > 0 ? `${memories(kept.length)} ${kept.length === 1 ? "stays" : "stay"}.` : "";
  if (text === "") {
    toasts.add(messages > 0 ? `Deleted ${counted(messages, "message")}.` : "Nothing was forgotten.", { hint });
    return;
  }
  offerUndo({
    text,
    hint,
    undone: "",
    undo: async () => {
      const restored = await restore(forgotten);
      const reopened = dropped.length === 0 ? [] : await api.undoDecisions(dropped);
      const failed = forgotten.length - restored + reopened.filter(({ error }) => error !== undefined && error !== null).length;
      if (failed === 0) toasts.add(sentence("restored", forgotten.length, "reopened", dropped.length));
      else
        toasts.add(`Undone, except for ${failed.toLocaleString()} that changed since.`, {
          tone: "danger",
          hint: "Look in Forgotten and in the inbox.",
        });
    },
  });
}

/** "Forgot 2 memories and dropped 1 suggestion."; empty for none. */
function sentence(forMemories: string, memoryCount: number, forSuggestions: string, suggestionCount: number): string {
  const parts = [
    ...(memoryCount > 0 ? [`${forMemories} ${memories(memoryCount)}`] : []),
    ...(suggestionCount > 0 ? [`${forSuggestions} ${counted(suggestionCount, "suggestion")}`] : []),
  ];
  const text = parts.join(" and ");
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Restore memories; resolves to how many are back. */
async function restore(ids: readonly string[]): Promise<number> {
  let count = 0;
  for (let from = 0; from < ids.length; from += MOST_ITEMS) {
    const part = ids.slice(from, from + MOST_ITEMS);
    const results = await api.recoverMany(new Map(part.map((id) => [id, undefined])), REASON);
    // One that isn't forgotten is back already: the undo is repeated after a failed request.
    count += results.filter(({ status }) => status === "recovered" || status === "not_deleted").length;
  }
  return count;
}
