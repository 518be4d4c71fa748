/** A memory that rules made of what a language model calls a one-off task. */

import Check from "@lucide/svelte/icons/check";
import ListChecks from "@lucide/svelte/icons/list-checks";
import Trash from "@lucide/svelte/icons/trash-2";

import type { Kind } from "./kind";
import OneOffTask from "./OneOffTask.svelte";
import { quoted } from "./texts";

export const ONE_OFF_TASK: Kind = {
  kind: "one_off_task",
  plural: "One-off tasks",
  icon: () => ListChecks,
  label: () => "One-off task?",
  heading: () => "Did you mean this only once?",
  showsType: true,
  added: "Asked",
  choices: [
    { id: "holds", action: "holds", keys: ["y"], label: "It still holds", icon: Check, isPrimary: true, words: "keep task rule" },
    { id: "dropTask", action: "drop", keys: ["#", "d", "Delete"], label: "Forget", icon: Trash, words: "task once drop remove" },
  ],
  outcomes: {
    holds: { said: (content) => `Kept ${quoted(content)}: it still holds.`, short: "Still holds", full: "It still holds" },
    drop: { said: (content) => `Forgot ${quoted(content)}.`, short: "Forgotten", full: "Forgotten" },
  },
  detail: OneOffTask,
  memory: ({ action, memory_id }) => (action === "drop" ? null : memory_id),
};
