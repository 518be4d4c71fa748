/** A memory that the user may have meant when taking something back in a later session. */

import Check from "@lucide/svelte/icons/check";
import Trash from "@lucide/svelte/icons/trash-2";
import Undo from "@lucide/svelte/icons/undo-2";

import type { Kind } from "./kind";
import TakenBack from "./TakenBack.svelte";
import { quoted } from "./texts";

export const TAKEN_BACK: Kind = {
  kind: "taken_back",
  plural: "Taken back",
  icon: () => Undo,
  label: () => "Taken back?",
  heading: () => "Did you take this back?",
  showsType: true,
  added: "Asked",
  choices: [
    {
      id: "dropTakenBack",
      action: "drop",
      keys: ["#", "d", "Delete"],
      label: "Forget",
      icon: Trash,
      isPrimary: true,
      words: "taken back drop remove",
    },
    { id: "takenBackHolds", action: "holds", keys: ["y"], label: "It still holds", icon: Check, words: "keep taken back rule" },
  ],
  outcomes: {
    holds: { said: (content) => `Kept ${quoted(content)}: it still holds.`, short: "Still holds", full: "It still holds" },
    drop: { said: (content) => `Forgot ${quoted(content)}.`, short: "Forgotten", full: "Forgotten" },
  },
  detail: TakenBack,
  memory: ({ action, memory_id }) => (action === "drop" ? null : memory_id),
};
