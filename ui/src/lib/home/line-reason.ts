/** Why a line is told or left out, as a sentence. */

import type { PreviewLine } from "$lib/api/client";

/** How the daemon says it in short, and in full. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ["pinned", "You pinned it"],
  ["pinned, for all projects", "You pinned it, for all projects"],
  ["over the budget", "What stands above it takes the room that the budget has"],
  ["already shown in this session", "The session was told it before"],
  ["doesn't answer the prompt", "It shares words with the prompt but is about something else"],
  ["the prompt has no searchable word", "The prompt has no word that could be searched for"],
  ["the prompt has only one searchable word", "One word is too little to tell what the prompt is about"],
  ["over the limit of memories per prompt", "Others match the prompt better, and a prompt is told only a few"],
]);

export function sentenceOf({ reason }: Pick<PreviewLine, "reason">): string {
  const full = SENTENCES.get(reason) ?? `${reason.charAt(0).toLocaleUpperCase()}${reason.slice(1)}`;
  return /[.!?…]$/u.test(full) ? full : `${full}.`;
}
