/** A block that was edited in a file of an agent or project, where sync had written it. */

import FileDiff from "@lucide/svelte/icons/file-diff";

import type { Kind } from "./kind";
import WorkspaceConflict from "./WorkspaceConflict.svelte";

export const WORKSPACE_CONFLICT: Kind = {
  kind: "workspace_conflict",
  plural: "Edited blocks",
  icon: () => FileDiff,
  label: () => "Edited block",
  heading: () => "Which text is right?",
  choices: [
    {
      id: "useWorkspace",
      action: "use_workspace",
      keys: ["w"],
      label: "Use the workspace's text",
      title: "Replaces the edit in that file",
      words: "sync ours discard edit overwrite",
    },
    {
      id: "takeEdit",
      action: "take_edit",
      keys: ["t"],
      label: "Take the edit into the workspace",
      title: "All your agents then read it",
      words: "sync theirs keep edit",
    },
  ],
  outcomes: {
    use_workspace: {
      said: () => "Using the workspace's text.",
      short: "Workspace's text",
      full: "Replaced by the workspace's text",
    },
    take_edit: {
      said: () => "Took the edit into the workspace.",
      short: "Edit taken",
      full: "Taken into the workspace",
    },
  },
  detail: WorkspaceConflict,
};
