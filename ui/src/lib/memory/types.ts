/** What people read of a memory: its type, its scope, who sees it. */

import Bug from "@lucide/svelte/icons/bug";
import CircleDot from "@lucide/svelte/icons/circle-dot";
import FileText from "@lucide/svelte/icons/file-text";
import Gavel from "@lucide/svelte/icons/gavel";
import Heart from "@lucide/svelte/icons/heart";
import Lightbulb from "@lucide/svelte/icons/lightbulb";
import ListOrdered from "@lucide/svelte/icons/list-ordered";
import ScrollText from "@lucide/svelte/icons/scroll-text";
import Shapes from "@lucide/svelte/icons/shapes";
import Signpost from "@lucide/svelte/icons/signpost";

import { givenNames } from "$lib/projects/given-names.svelte";

import { ALWAYS_TOLD, GIVEN_TYPES, MEMORY_TYPES, PRIVATE, TYPE_LABELS, VISIBILITIES } from "./filter-table";

export { VISIBILITIES };

interface MemoryType {
  readonly value: string;
  /** Its name, as in the terminal and in error messages. */
  readonly label: string;
  readonly icon: typeof CircleDot;
  /** Whether users can assign it; other types are set only by the daemon. */
  readonly isGiven: boolean;
}

const ICONS: Record<(typeof MEMORY_TYPES)[number], typeof CircleDot> = {
  fact: CircleDot,
  decision: Signpost,
  preference: Heart,
  rule: Gavel,
  procedural: ListOrdered,
  learning: Lightbulb,
  issue: Bug,
  semantic: Shapes,
  session_summary: ScrollText,
  document_chunk: FileText,
};

export const TYPES: readonly MemoryType[] = MEMORY_TYPES.map((value) => ({
  value,
  label: TYPE_LABELS[value],
  icon: ICONS[value],
  isGiven: GIVEN_TYPES.some((given) => given === value),
}));

/** The type by its value; an unknown one is labelled with its value. */
export function typeOf(value: string): MemoryType {
  return TYPES.find((type) => type.value === value) ?? { value, label: value, icon: CircleDot, isGiven: false };
}

/** A type as people read it, such as "Decision · always told". */
export function typeText(value: string, isAlwaysTold: boolean): string {
  const { label } = typeOf(value);
  return isAlwaysTold ? `${label} · ${ALWAYS_TOLD}` : label;
}

/** The name of what is always told, where it stands alone. */
export const ALWAYS_TOLD_TITLE = `${ALWAYS_TOLD.charAt(0).toUpperCase()}${ALWAYS_TOLD.slice(1)}`;

/** The scope of a memory without a project. */
export const ALL_PROJECTS = "All projects";

/** The scope of a memory: its project, or all projects. */
export function scopeName(project: string | null): string {
  return project === null ? ALL_PROJECTS : projectName(project);
}

/** Which agents see a memory of this agent. */
export function visibilityText(visibility: string, agent: string): string {
  return visibility === PRIVATE ? `Only ${agent}` : VISIBILITIES.global;
}

/** The short name of a project: the one that the user gave it, or the last part of its path. */
export function projectName(project: string): string {
  return (
    givenNames.get(project) ??
    project
      .split(/[\\/]/)
      .filter((part) => part !== "")
      .at(-1) ??
    project
  );
}
