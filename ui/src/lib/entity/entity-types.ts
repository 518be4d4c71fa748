/** Types of entities with labels, icons and colours. */

import AtSign from "@lucide/svelte/icons/at-sign";
import Braces from "@lucide/svelte/icons/braces";
import Building from "@lucide/svelte/icons/building";
import Component from "@lucide/svelte/icons/component";
import File from "@lucide/svelte/icons/file";
import FileCog from "@lucide/svelte/icons/file-cog";
import Folder from "@lucide/svelte/icons/folder";
import Languages from "@lucide/svelte/icons/languages";
import Lightbulb from "@lucide/svelte/icons/lightbulb";
import ListTodo from "@lucide/svelte/icons/list-todo";
import Puzzle from "@lucide/svelte/icons/puzzle";
import Server from "@lucide/svelte/icons/server";
import Shapes from "@lucide/svelte/icons/shapes";
import User from "@lucide/svelte/icons/user";
import Wrench from "@lucide/svelte/icons/wrench";

import type { EntityType } from "$lib/api/client";

/** The colours of `styles/tokens.css`: related types share one, and differ by their icon. */
export type Hue = "person" | "project" | "system" | "component" | "tool" | "language" | "file" | "concept";

export interface EntityKind {
  readonly value: EntityType;
  readonly label: string;
  readonly plural: string;
  readonly icon: typeof User;
  readonly hue: Hue;
}

/** In the order in which they are offered. */
export const ENTITY_KINDS: readonly EntityKind[] = [
  { value: "person", label: "Person", plural: "People", icon: User, hue: "person" },
  { value: "organization", label: "Organization", plural: "Organizations", icon: Building, hue: "person" },
  { value: "project", label: "Project", plural: "Projects", icon: Folder, hue: "project" },
  { value: "task", label: "Task", plural: "Tasks", icon: ListTodo, hue: "project" },
  { value: "system", label: "System", plural: "Systems", icon: Shapes, hue: "system" },
  { value: "service", label: "Service", plural: "Services", icon: Server, hue: "system" },
  { value: "component", label: "Component", plural: "Components", icon: Component, hue: "component" },
  { value: "tool", label: "Tool", plural: "Tools", icon: Wrench, hue: "tool" },
  { value: "skill", label: "Skill", plural: "Skills", icon: Puzzle, hue: "tool" },
  { value: "language", label: "Language", plural: "Languages", icon: Languages, hue: "language" },
  { value: "format", label: "Format", plural: "Formats", icon: Braces, hue: "language" },
  { value: "file", label: "File", plural: "Files", icon: File, hue: "file" },
  { value: "config", label: "Configuration", plural: "Configurations", icon: FileCog, hue: "file" },
  { value: "concept", label: "Concept", plural: "Concepts", icon: Lightbulb, hue: "concept" },
  { value: "unknown", label: "Unknown", plural: "Unknown", icon: AtSign, hue: "concept" },
];

const BY_TYPE = new Map<string, EntityKind>(ENTITY_KINDS.map((kind) => [kind.value, kind]));
const UNKNOWN: EntityKind = { value: "unknown", label: "Unknown", plural: "Unknown", icon: AtSign, hue: "concept" };

/** The kind of a type; a type that this page doesn't know yet is unknown. */
export function kindOf(type: string): EntityKind {
  return BY_TYPE.get(type) ?? UNKNOWN;
}

/** The address of an entity's page. */
export function entityPath(id: string): string {
  return `/entities/${encodeURIComponent(id)}`;
}
