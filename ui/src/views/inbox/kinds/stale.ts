/** A memory that was told, or is pinned, although the code that it names is gone or changed. */

import Check from "@lucide/svelte/icons/check";
import FileX from "@lucide/svelte/icons/file-x";
import Trash from "@lucide/svelte/icons/trash-2";

import type { Kind } from "./kind";
import StaleMemory from "./StaleMemory.svelte";
import { quoted } from "./texts";

export const STALE: Kind = {
  kind: "stale",
  plural: "Stale memories",
  icon: () => FileX,
  label: () => "Stale",
  heading: () => "Is this still right?",
  choices: [
    {
      id: "stillRight",
      action: "still_right",
      keys: ["y"],
      label: "Still right",
      icon: Check,
      isPrimary: true,
      words: "keep stale place code",
    },
    { id: "forgetStale", action: "forget_stale", keys: ["#", "d", "Delete"], label: "Forget", icon: Trash, words: "stale drop remove" },
  ],
  outcomes: {
    still_right: { said: (content) => `Kept ${quoted(content)} as still right.`, short: "Still right", full: "Still right" },
    forget_stale: { said: (content) => `Forgot ${quoted(content)}.`, short: "Forgotten", full: "Forgotten" },
  },
  detail: StaleMemory,
  memory: ({ action, memory_id }) => (action === "still_right" ? memory_id : null),
};
