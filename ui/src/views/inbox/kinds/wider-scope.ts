/** A memory of a project that may apply to all projects. */

import Globe from "@lucide/svelte/icons/globe";

import { ALL_PROJECTS } from "$lib/memory/types";

import type { Kind } from "./kind";
import { quoted } from "./texts";
import WiderScope from "./WiderScope.svelte";

export const WIDER_SCOPE: Kind = {
  kind: "wider_scope",
  plural: "For all projects?",
  icon: () => Globe,
  label: () => "For all projects?",
  showsType: true,
  added: "Asked",
  choices: [
    {
      id: "allProjects",
      action: "all_projects",
      keys: ["w"],
      label: "For all projects",
      icon: Globe,
      isPrimary: true,
      words: "all projects global scope everywhere",
    },
    { id: "thisProject", action: "this_project", keys: ["y"], label: "Only this project" },
  ],
  outcomes: {
    all_projects: {
      said: (content) => `Applied ${quoted(content)} to all projects.`,
      short: ALL_PROJECTS,
      full: "Applied to all projects",
    },
    this_project: { said: (content) => `Left ${quoted(content)} in its project.`, short: "This project", full: "Left in its project" },
  },
  detail: WiderScope,
  memory: ({ memory_id }) => memory_id,
};
