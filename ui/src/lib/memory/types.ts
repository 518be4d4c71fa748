/** Memory types with labels and icons. */

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

interface MemoryType {
  readonly value: string;
  readonly label: string;
  readonly icon: typeof CircleDot;
  /** Whether users can assign it; other types are set only by the daemon. */
  readonly isGiven: boolean;
}

export const TYPES: readonly MemoryType[] = [
  { value: "fact", label: "Fact", icon: CircleDot, isGiven: true },
  { value: "decision", label: "Decision", icon: Signpost, isGiven: true },
  { value: "preference", label: "Preference", icon: Heart, isGiven: true },
  { value: "rule", label: "Rule", icon: Gavel, isGiven: true },
  { value: "procedural", label: "Procedure", icon: ListOrdered, isGiven: true },
  { value: "learning", label: "Learning", icon: Lightbulb, isGiven: true },
  { value: "issue", label: "Issue", icon: Bug, isGiven: true },
  { value: "semantic", label: "Concept", icon: Shapes, isGiven: true },
  { value: "session_summary", label: "Summary", icon: ScrollText, isGiven: false },
  { value: "document_chunk", label: "Document", icon: FileText, isGiven: false },
];

/** The type by its value; an unknown one is labelled with its value. */
export function typeOf(value: string): MemoryType {
  return (
    TYPES.find((type) => type.value === value) ?? { value, label: value, icon: CircleDot, isGiven: false }
  );
}

/** The short name of a project: the one that the user gave it, or the last part of its path. */
export function projectName(project: string): string {
  return givenNames.get(project) ?? project.split(/[\\/]/).filter((part) => part !== "").at(-1) ?? project;
}
